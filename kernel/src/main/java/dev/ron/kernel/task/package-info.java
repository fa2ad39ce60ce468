/** Supervised threads, bounded lanes and the shutdown state machine. */
@NullMarked
package dev.ron.kernel.task;

import org.jspecify.annotations.NullMarked;
