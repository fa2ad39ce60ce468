/** MBTiles 1.3 through SQLite, read only. */
@NullMarked
package dev.ron.edge.pack.mbtiles;

import org.jspecify.annotations.NullMarked;
