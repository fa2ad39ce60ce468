/** A procedural world in vector tiles, so that the demo needs no download. */
@NullMarked
package dev.ron.edge.pack.demo;

import org.jspecify.annotations.NullMarked;
