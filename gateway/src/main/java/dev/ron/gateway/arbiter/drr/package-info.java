/**
 * The order of service, without concurrency: deficit round robin over slot time, and a plain queue to fall back on.
 *
 * <p>Time and events in, choices out. One thread at a time works here; only {@link dev.ron.gateway.arbiter.drr.Usage}
 * and what {@link dev.ron.gateway.arbiter.drr.Shares} and {@link dev.ron.gateway.arbiter.drr.Flow} publish is
 * shared with others. Times are microseconds on one monotonic clock.
 */
@NullMarked
package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.NullMarked;
