/** Entry points of {@code ron bench}. */
@NullMarked
package dev.ron.bench;

import org.jspecify.annotations.NullMarked;
