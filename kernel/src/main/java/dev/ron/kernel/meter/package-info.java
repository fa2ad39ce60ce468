/** Where the kernel reports what it counts. */
@NullMarked
package dev.ron.kernel.meter;

import org.jspecify.annotations.NullMarked;
