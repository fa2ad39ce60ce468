/** What the office remembers: revocations, epochs, keys and clients, journalled by one writer. */
@NullMarked
package dev.ron.passport.office;

import org.jspecify.annotations.NullMarked;
