/** Runs the memory-model stress. */
@NullMarked
package dev.ron.proof.stress;

import org.jspecify.annotations.NullMarked;
