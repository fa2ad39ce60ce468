/** Fuzz targets; without JAZZER_FUZZ they replay their corpus. */
@NullMarked
package dev.ron.proof.fuzz;

import org.jspecify.annotations.NullMarked;
