/** Proofs that need the inside of the office. */
@NullMarked
package dev.ron.passport.office;

import org.jspecify.annotations.NullMarked;
