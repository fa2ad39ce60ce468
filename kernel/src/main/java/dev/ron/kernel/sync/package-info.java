/** State shared between threads, and the checks at every blocking point. */
@NullMarked
package dev.ron.kernel.sync;

import org.jspecify.annotations.NullMarked;
