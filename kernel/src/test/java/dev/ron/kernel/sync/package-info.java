/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.sync;

import org.jspecify.annotations.NullMarked;
