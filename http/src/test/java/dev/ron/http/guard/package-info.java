@NullMarked
package dev.ron.http.guard;

import org.jspecify.annotations.NullMarked;
