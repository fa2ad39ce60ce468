/** Strict JSON and base64url: what is not exactly as written in the format is refused, never repaired. */
@NullMarked
package dev.ron.token.json;

import org.jspecify.annotations.NullMarked;
