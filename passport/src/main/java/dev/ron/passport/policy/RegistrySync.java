package dev.ron.passport.policy;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.PassportConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches the policy now and then, and after each hint; a failed fetch leaves the old one in force until it is stale. */
public final class RegistrySync {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrySync.class);
    private static final double JITTER = 0.2;

    private final PolicySource source;
    private final PolicyDesk desk;
    private final Watch<Long> hints;
    private final Supplier<PassportConfig.Registry> config;
    private final Meter.Count retries;

    public RegistrySync(
            PolicySource source,
            PolicyDesk desk,
            Watch<Long> hints,
            Supplier<PassportConfig.Registry> config,
            Meter meter) {
        this.source = source;
        this.desk = desk;
        this.hints = hints;
        this.config = config;
        this.retries = meter.counter("backoff_retries_total", "op", "registry");
    }

    public void run(TaskScope scope) {
        while (!scope.stopping()) {
            long seen = hints.current().version();
            fetch(scope);
            Duration pause = jittered(config.get().interval());
            Deadline next = Deadline.after(scope.clock(), pause).min(scope.untilStop());
            hints.awaitNewerThan(seen, next);
        }
    }

    private void fetch(TaskScope scope) {
        try {
            Policy fresh =
                    source.fetch(Deadline.after(scope.clock(), config.get().timeout()));
            long now = scope.clock().now().getEpochSecond();
            long known = desk.current().map(Policy::version).orElse(0L);
            if (fresh.version() < known) {
                LOG.warn("the registry offers policy {}, {} is in force: kept", fresh.version(), known);
                return;
            }
            desk.publish(
                    Optional.of(fresh.confirmedUntil(now + config.get().maxAge().toSeconds())));
        } catch (Canceled stopped) {
            throw stopped;
        } catch (Exception e) {
            retries.increment();
            LOG.warn("the policy could not be fetched: {}", e.getMessage());
        }
    }

    private static Duration jittered(Duration interval) {
        double factor = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofNanos((long) (interval.toNanos() * factor));
    }
}
