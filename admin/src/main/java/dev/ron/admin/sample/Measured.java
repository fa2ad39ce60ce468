package dev.ron.admin.sample;

import dev.ron.admin.series.Glance;
import dev.ron.admin.view.MetricsSummary;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a node's numbers; replaced whole by its sampler.
 *
 * @param sample counts good scrapes; the tag of answers made from them
 * @param at the last good scrape; null before the first
 * @param interval the pace in effect, stretched where the node cannot keep up
 */
public record Measured(
        long sample,
        @Nullable Instant at,
        long atNanos,
        Glance glance,
        MetricsSummary.@Nullable LastError lastError,
        Duration interval) {}
