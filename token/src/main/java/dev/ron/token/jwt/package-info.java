/** The RFC 9068 access-token profile, for issuers that speak plain OAuth. */
@NullMarked
package dev.ron.token.jwt;

import org.jspecify.annotations.NullMarked;
