/** Plain files under one folder. */
@NullMarked
package dev.ron.edge.pack.raw;

import org.jspecify.annotations.NullMarked;
