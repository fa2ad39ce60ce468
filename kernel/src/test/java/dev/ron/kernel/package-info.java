/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel;

import org.jspecify.annotations.NullMarked;
