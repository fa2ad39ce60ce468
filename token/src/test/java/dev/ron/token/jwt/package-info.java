@NullMarked
package dev.ron.token.jwt;

import org.jspecify.annotations.NullMarked;
