/** What tests of this module and of the services share. */
@NullMarked
package dev.ron.http.testing;

import org.jspecify.annotations.NullMarked;
