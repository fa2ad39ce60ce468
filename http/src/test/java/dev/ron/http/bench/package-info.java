/** Programs that are started by hand beside a peer and a load generator. */
@NullMarked
package dev.ron.http.bench;

import org.jspecify.annotations.NullMarked;
