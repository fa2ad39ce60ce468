/** Memory-model stress: what the hardware and the compiler may do to a few racing operations. */
@NullMarked
package dev.ron.proof.stress;

import org.jspecify.annotations.NullMarked;
