/** The checks a request passes before a handler sees it, each with its own reason. */
@NullMarked
package dev.ron.http.guard;

import org.jspecify.annotations.NullMarked;
