/** What may be issued: the policy in force and where it comes from. */
@NullMarked
package dev.ron.passport.policy;

import org.jspecify.annotations.NullMarked;
