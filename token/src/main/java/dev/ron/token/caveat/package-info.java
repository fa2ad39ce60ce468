/** The closed vocabulary of restrictions a token can carry. */
@NullMarked
package dev.ron.token.caveat;

import org.jspecify.annotations.NullMarked;
