/** Who had what issued, revoked or changed: a chain of lines that cannot be changed unseen. */
@NullMarked
package dev.ron.passport.audit;

import org.jspecify.annotations.NullMarked;
