@NullMarked
package dev.ron.token.caveat;

import org.jspecify.annotations.NullMarked;
