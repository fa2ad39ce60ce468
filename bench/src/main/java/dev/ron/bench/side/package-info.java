/** Side-by-side runs against real peers: same load, same machine, interleaved rounds, ratios per round. */
@NullMarked
package dev.ron.bench.side;

import org.jspecify.annotations.NullMarked;
