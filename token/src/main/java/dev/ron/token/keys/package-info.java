/** What a verifier knows about its issuers: keys, epochs, revocations, as one immutable snapshot. */
@NullMarked
package dev.ron.token.keys;

import org.jspecify.annotations.NullMarked;
