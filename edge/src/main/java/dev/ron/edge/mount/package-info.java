/** Mounted packs: opened by kind, counted by their readers, replaced whole. */
@NullMarked
package dev.ron.edge.mount;

import org.jspecify.annotations.NullMarked;
