/** Issuing: checks an order against the policy, signs, releases. */
@NullMarked
package dev.ron.passport.issue;

import org.jspecify.annotations.NullMarked;
