/** TLS for both sides: identities from PEM files, engines, and certificates that can be replaced while running. */
@NullMarked
package dev.ron.http.tls;

import org.jspecify.annotations.NullMarked;
