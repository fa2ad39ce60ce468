/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.task;

import org.jspecify.annotations.NullMarked;
