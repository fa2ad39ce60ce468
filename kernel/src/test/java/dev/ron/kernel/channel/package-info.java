/** Tests of the package of the same name. */
@NullMarked
package dev.ron.kernel.channel;

import org.jspecify.annotations.NullMarked;
