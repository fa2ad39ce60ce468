/** Proofs about the edge: flights under every interleaving, its parsers under fuzz. */
@NullMarked
package dev.ron.proof.edge;

import org.jspecify.annotations.NullMarked;
