/** The streaming client: bodies in pieces both ways, on the caller's own event loop. */
@NullMarked
package dev.ron.http.client.stream;

import org.jspecify.annotations.NullMarked;
