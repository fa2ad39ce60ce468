/** The second form of every document: CBOR. */
@NullMarked
package dev.ron.registry.wire;

import org.jspecify.annotations.NullMarked;
