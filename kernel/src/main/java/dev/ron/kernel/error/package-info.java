/** The one exception family and its stable codes. */
@NullMarked
package dev.ron.kernel.error;

import org.jspecify.annotations.NullMarked;
