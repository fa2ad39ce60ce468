/** Signatures and hashes, each behind one small class that adds the checks its provider lacks. */
@NullMarked
package dev.ron.token.crypto;

import org.jspecify.annotations.NullMarked;
