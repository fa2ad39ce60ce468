/** The HTTP surface. */
@NullMarked
package dev.ron.registry.api;

import org.jspecify.annotations.NullMarked;
