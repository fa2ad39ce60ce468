/** BLAKE3 and the 32-byte names it gives. */
@NullMarked
package dev.ron.edge.digest;

import org.jspecify.annotations.NullMarked;
