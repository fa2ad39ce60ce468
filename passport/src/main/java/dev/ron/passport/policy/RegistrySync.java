package dev.ron.passport.policy;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
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
    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(75);

    private final PolicySource source;
    private final PolicyDesk desk;
    private final Watch<Long> hints;
    private final Supplier<PassportConfig.Registry> config;
    private final Meter.Count retries;
    private final Meter.Count timeouts;

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
        this.timeouts = meter.counter("io_timeouts_total", "op", "registry");
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

    /** At most three times, with a pause that doubles; what is still wrong then waits for the next turn. */
    private void fetch(TaskScope scope) {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                accept(
                        source.fetch(Deadline.after(scope.clock(), config.get().timeout())),
                        scope.clock().now().getEpochSecond());
                return;
            } catch (Canceled stopped) {
                throw stopped;
            } catch (Exception e) {
                if (e instanceof RonException failed && failed.code() == Code.TIMEOUT) {
                    timeouts.increment();
                }
                LOG.warn("the policy could not be fetched: {}", e.getMessage());
            }
            if (attempt == ATTEMPTS || !scope.sleep(jittered(pause))) {
                return;
            }
            retries.increment();
            pause = pause.multipliedBy(2);
        }
    }

    private void accept(Policy fresh, long now) {
        Optional<Policy> known = desk.current();
        long version = known.map(Policy::version).orElse(0L);
        if (fresh.version() < version) {
            LOG.warn("the registry offers policy {}, {} is in force: kept", fresh.version(), version);
            return;
        }
        Policy confirmed = fresh.confirmedUntil(now + config.get().maxAge().toSeconds());
        // One number for two texts means that somebody lies; the one that was there first stays until it is stale.
        if (fresh.version() == version
                && !confirmed.equals(known.orElseThrow().confirmedUntil(confirmed.freshUntil()))) {
            LOG.error("the registry offers another policy under the number {}: refused", version);
            return;
        }
        desk.publish(Optional.of(confirmed));
    }

    private static Duration jittered(Duration interval) {
        double factor = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofNanos((long) (interval.toNanos() * factor));
    }
}
