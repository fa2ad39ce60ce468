/** Requests and responses as handlers see them. */
@NullMarked
package dev.ron.http.message;

import org.jspecify.annotations.NullMarked;
