/**
 * One arbiter per upstream: who of the waiting tenants may use it next, and never more at once than it can take.
 *
 * <p>A request is a {@link dev.ron.gateway.arbiter.Job}; the right to use the upstream is a {@link
 * dev.ron.gateway.arbiter.Slot}. Nothing here knows HTTP, owns a thread, takes a lock or waits.
 */
@NullMarked
package dev.ron.gateway.arbiter;

import org.jspecify.annotations.NullMarked;
