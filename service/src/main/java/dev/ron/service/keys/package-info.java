/** What every verifier needs: an issuer's keys and revocations, kept fresh, and the check of a bearer's token. */
@NullMarked
package dev.ron.service.keys;

import org.jspecify.annotations.NullMarked;
