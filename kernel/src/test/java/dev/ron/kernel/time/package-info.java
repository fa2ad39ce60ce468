/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.time;

import org.jspecify.annotations.NullMarked;
