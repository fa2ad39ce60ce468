/** Configuration: file, environment and flags bound to records, with every mistake reported at once. */
@NullMarked
package dev.ron.service.config;

import org.jspecify.annotations.NullMarked;
