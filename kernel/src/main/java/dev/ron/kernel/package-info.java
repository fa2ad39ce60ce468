/** The small kernel under every service: one {@link dev.ron.kernel.Kernel} makes the live parts of one topology. */
@NullMarked
package dev.ron.kernel;

import org.jspecify.annotations.NullMarked;
