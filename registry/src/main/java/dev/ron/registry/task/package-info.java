/** What runs beside the committer: checkpoints, pruning, verifying, telling. */
@NullMarked
package dev.ron.registry.task;

import org.jspecify.annotations.NullMarked;
