/** Problem bodies (RFC 9457): the one form in which an error leaves the process. */
@NullMarked
package dev.ron.http.problem;

import org.jspecify.annotations.NullMarked;
