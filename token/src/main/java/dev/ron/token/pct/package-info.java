/** The PCT1 wire format: a chain of signed blocks closed by a proof; parse, assemble, attenuate, seal. */
@NullMarked
package dev.ron.token.pct;

import org.jspecify.annotations.NullMarked;
