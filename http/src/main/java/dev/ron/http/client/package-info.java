/** The HTTP client: a blocking face for virtual threads over connections that live on event loops. */
@NullMarked
package dev.ron.http.client;

import org.jspecify.annotations.NullMarked;
