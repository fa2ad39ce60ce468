@NullMarked
package dev.ron.http.server;

import org.jspecify.annotations.NullMarked;
