/** The HTTP/1.1 host: strict framing, admission, handlers, answers, graceful stop. */
@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
