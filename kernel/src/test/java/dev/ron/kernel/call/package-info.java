/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.call;

import org.jspecify.annotations.NullMarked;
