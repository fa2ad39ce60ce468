/** Puts a token and the reasons against it in words. */
@NullMarked
package dev.ron.token.explain;

import org.jspecify.annotations.NullMarked;
