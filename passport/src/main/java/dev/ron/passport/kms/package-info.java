/** Signing keys: their life, where they rest, and signing with a deadline. */
@NullMarked
package dev.ron.passport.kms;

import org.jspecify.annotations.NullMarked;
