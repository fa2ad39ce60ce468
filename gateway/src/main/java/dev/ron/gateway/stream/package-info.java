/** Streams that have no end of their own: a connection that changed its protocol, passed through byte for byte. */
@NullMarked
package dev.ron.gateway.stream;

import org.jspecify.annotations.NullMarked;
