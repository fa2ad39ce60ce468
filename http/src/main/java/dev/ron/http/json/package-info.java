/** Strict reading of JSON into records, and writing. */
@NullMarked
package dev.ron.http.json;

import org.jspecify.annotations.NullMarked;
