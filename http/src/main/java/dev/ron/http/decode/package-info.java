/** Content codings under guard: what a compressed body may become, and how fast. */
@NullMarked
package dev.ron.http.decode;

import org.jspecify.annotations.NullMarked;
