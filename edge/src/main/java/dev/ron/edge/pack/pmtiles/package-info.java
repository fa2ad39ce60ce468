/** PMTiles v3: reader, walk and writer. */
@NullMarked
package dev.ron.edge.pack.pmtiles;

import org.jspecify.annotations.NullMarked;
