@NullMarked
package dev.ron.token;

import org.jspecify.annotations.NullMarked;
