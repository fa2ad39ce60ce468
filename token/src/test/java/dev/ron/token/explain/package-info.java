@NullMarked
package dev.ron.token.explain;

import org.jspecify.annotations.NullMarked;
