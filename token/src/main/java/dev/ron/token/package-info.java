/** Capability tokens as a pure library: no I/O, no threads, no clock. This package holds the shared words: why a token is refused. */
@NullMarked
package dev.ron.token;

import org.jspecify.annotations.NullMarked;
