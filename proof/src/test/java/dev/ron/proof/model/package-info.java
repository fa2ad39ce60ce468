/** Model checks: every interleaving of a few operations, and broken twins that must be caught. */
@NullMarked
package dev.ron.proof.model;

import org.jspecify.annotations.NullMarked;
