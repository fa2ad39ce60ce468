/** TLS on the listener of a service: its keys in the configuration, and certificates that a reload reads again. */
@NullMarked
package dev.ron.service.tls;

import org.jspecify.annotations.NullMarked;
