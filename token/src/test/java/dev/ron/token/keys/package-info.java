@NullMarked
package dev.ron.token.keys;

import org.jspecify.annotations.NullMarked;
