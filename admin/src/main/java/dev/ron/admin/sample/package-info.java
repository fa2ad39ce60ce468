/** One sampler per node: when to ask, how to ask, what to publish. */
@NullMarked
package dev.ron.admin.sample;

import org.jspecify.annotations.NullMarked;
