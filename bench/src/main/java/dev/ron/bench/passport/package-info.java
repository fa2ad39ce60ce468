/** What tokens cost: verified, issued, revoked. */
@NullMarked
package dev.ron.bench.passport;

import org.jspecify.annotations.NullMarked;
