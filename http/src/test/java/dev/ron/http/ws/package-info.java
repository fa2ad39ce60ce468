@NullMarked
package dev.ron.http.ws;

import org.jspecify.annotations.NullMarked;
