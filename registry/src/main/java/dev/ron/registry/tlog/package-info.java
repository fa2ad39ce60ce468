/** Transparency: checkpoints, tiles, bundles, the witness of the head. */
@NullMarked
package dev.ron.registry.tlog;

import org.jspecify.annotations.NullMarked;
