@NullMarked
package dev.ron.http.sse;

import org.jspecify.annotations.NullMarked;
