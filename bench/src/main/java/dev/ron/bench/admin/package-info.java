/** The console with a thousand nodes. */
@NullMarked
package dev.ron.bench.admin;

import org.jspecify.annotations.NullMarked;
