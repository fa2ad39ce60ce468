/** The edge beside nginx, Varnish and a tile server. */
@NullMarked
package dev.ron.bench.edge;

import org.jspecify.annotations.NullMarked;
