/** Whether one tenant can hurt another: an open-loop load, floods of every kind, and peers beside us. */
@NullMarked
package dev.ron.bench.fairness;

import org.jspecify.annotations.NullMarked;
