/** Blobs stored under the digest of their bytes. */
@NullMarked
package dev.ron.edge.cas;

import org.jspecify.annotations.NullMarked;
