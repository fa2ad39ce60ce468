/** Clocks and deadlines; tests move a virtual clock. */
@NullMarked
package dev.ron.kernel.time;

import org.jspecify.annotations.NullMarked;
