/** Ranges and preconditions of RFC 9110 as one pure decision. */
@NullMarked
package dev.ron.edge.range;

import org.jspecify.annotations.NullMarked;
