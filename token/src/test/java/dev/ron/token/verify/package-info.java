@NullMarked
package dev.ron.token.verify;

import org.jspecify.annotations.NullMarked;
