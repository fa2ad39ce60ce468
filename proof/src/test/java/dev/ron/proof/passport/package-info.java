/** Proofs of the passport office together with the registry. */
@NullMarked
package dev.ron.proof.passport;

import org.jspecify.annotations.NullMarked;
