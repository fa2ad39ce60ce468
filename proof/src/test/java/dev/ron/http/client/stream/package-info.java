/** Fuzz targets of the streaming client; in its package, since its parsers are its own business. */
@NullMarked
package dev.ron.http.client.stream;

import org.jspecify.annotations.NullMarked;
