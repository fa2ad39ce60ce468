@NullMarked
package dev.ron.gateway.stream;

import org.jspecify.annotations.NullMarked;
