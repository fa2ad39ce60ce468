/** What every pack of tiles or files has in common: tiles, kinds, codings, safe reads, typed faults. */
@NullMarked
package dev.ron.edge.pack;

import org.jspecify.annotations.NullMarked;
