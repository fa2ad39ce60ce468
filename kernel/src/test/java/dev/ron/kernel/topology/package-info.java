/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.topology;

import org.jspecify.annotations.NullMarked;
