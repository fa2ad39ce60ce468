/** The front door: one listener, strict in what it takes, fair in what it gives. */
@NullMarked
package dev.ron.gateway;

import org.jspecify.annotations.NullMarked;
