@NullMarked
package dev.ron.token.vectors;

import org.jspecify.annotations.NullMarked;
