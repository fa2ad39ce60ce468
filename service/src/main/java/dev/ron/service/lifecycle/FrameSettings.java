package dev.ron.service.lifecycle;

import dev.ron.kernel.task.Backoff;
import dev.ron.service.config.Config;
import dev.ron.service.trace.SpanExporter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a process decides for its frame; values that may change while it runs are read from the configuration in force.
 *
 * @param profile {@code micro} or {@code macro}
 * @param amnesia whether the process keeps everything in RAM
 * @param collector where spans go; empty exports nothing
 */
public record FrameSettings(
        String profile,
        boolean amnesia,
        Backoff.Policy restarts,
        Function<Config, Duration> drainDeadline,
        Function<Config, Duration> preStop,
        Function<Config, String> logLevel,
        Optional<SpanExporter.Collector> collector) {

    /** The defaults of the specification, for tests and small tools. */
    public static FrameSettings defaults() {
        return new FrameSettings(
                "macro",
                false,
                Backoff.Policy.DEFAULT,
                c -> Duration.ofSeconds(10),
                c -> Duration.ZERO,
                c -> "info",
                Optional.empty());
    }
}
