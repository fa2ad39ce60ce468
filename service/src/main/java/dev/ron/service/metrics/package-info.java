/** Prometheus metrics: families declared once, gauges read when somebody looks. */
@NullMarked
package dev.ron.service.metrics;

import org.jspecify.annotations.NullMarked;
