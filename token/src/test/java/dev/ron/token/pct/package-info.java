@NullMarked
package dev.ron.token.pct;

import org.jspecify.annotations.NullMarked;
