/** Retry, rate and circuit: how work towards a dependency is paced. */
@NullMarked
package dev.ron.kernel.flow;

import org.jspecify.annotations.NullMarked;
