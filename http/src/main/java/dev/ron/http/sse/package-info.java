/** Server-sent events: one event to many callers, each within its bound. */
@NullMarked
package dev.ron.http.sse;

import org.jspecify.annotations.NullMarked;
