@NullMarked
package dev.ron.token.crypto;

import org.jspecify.annotations.NullMarked;
