@NullMarked
package dev.ron.token.json;

import org.jspecify.annotations.NullMarked;
