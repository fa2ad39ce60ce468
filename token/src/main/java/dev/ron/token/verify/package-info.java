/** Decides whether a token allows a request: signatures may be remembered, decisions never. */
@NullMarked
package dev.ron.token.verify;

import org.jspecify.annotations.NullMarked;
