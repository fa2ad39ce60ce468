package dev.ron.passport.policy;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.passport.PassportConfig;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the policy now and then, and after each hint; a failed fetch leaves the old one in force until it is stale.
 *
 * <p>What was read once is never read back: a log that is shorter, that is another one, or that gives one version two
 * texts is refused, also after a restart. Nor is it confirmed by being read again: only the log's signature of when it was
 * seen does that.
 */
public final class RegistrySync {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrySync.class);
    private static final double JITTER = 0.2;
    private static final int ATTEMPTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(75);
    private static final Duration FIRST_TURN_AFTER_FAILURE = Duration.ofSeconds(1);
    // News come in bursts, and one look sees them all.
    private static final Duration SETTLE = Duration.ofMillis(200);
    // The kept moment of confirmation lags behind by this part of the policy's time at most.
    private static final int KEEP_PARTS = 10;

    private final Parts parts;
    private final Meter.Count retries;
    private final Meter.Count timeouts;
    private final Meter.Count failures;
    private final Meter.Timing fetches;
    private final Snapshot<Optional<PolicyFile.Kept>> last = new Snapshot<>(Optional.empty());
    // Only the task touches these.
    private boolean remembered;
    private long keptAt;

    /**
     * What it works with.
     *
     * @param reader what is believed of the registry; empty while that is not known yet
     * @param file where the last good policy is kept
     */
    public record Parts(
            PolicySource source,
            Supplier<Optional<PolicyBundle>> reader,
            PolicyFile file,
            PolicyDesk desk,
            Watch<Long> hints,
            Supplier<PassportConfig> config,
            Bus bus) {}

    public RegistrySync(Parts parts, Meter meter) {
        this.parts = parts;
        this.retries = meter.counter("backoff_retries_total", "op", "registry");
        this.timeouts = meter.counter("io_timeouts_total", "op", "registry");
        this.failures = meter.counter("svc_passport_registry_failures_total");
        this.fetches = meter.timing("svc_passport_registry_fetch_latency_seconds", "", "");
    }

    /** True once a registry has said what the policy is, and a configuration alone no longer does. */
    public boolean heard() {
        return last.get().isPresent();
    }

    /** The second at which a registry last confirmed the policy, as it signed. */
    public Optional<Long> confirmedAt() {
        return last.get().map(PolicyFile.Kept::confirmedAt);
    }

    public void run(TaskScope scope) {
        Duration turn = FIRST_TURN_AFTER_FAILURE;
        while (!scope.stopping()) {
            long seen = parts.hints.current().version();
            remember(scope.clock());
            boolean fetched = fetch(scope);
            Duration interval = registry().interval();
            turn = fetched ? FIRST_TURN_AFTER_FAILURE : turn.multipliedBy(2);
            Duration pause = fetched || turn.compareTo(interval) > 0 ? interval : turn;
            if (parts.hints
                    .awaitNewerThan(seen, scope.untilStop().within(jittered(pause)))
                    .isPresent()) {
                // The hint may be of a new configuration, and that need not wait for the registry.
                publish();
                scope.sleep(SETTLE);
            }
        }
    }

    private PassportConfig.Registry registry() {
        return parts.config.get().registry();
    }

    private void remember(Clock clock) {
        if (remembered || parts.reader.get().isEmpty()) {
            return;
        }
        remembered = true;
        long now = clock.now().getEpochSecond();
        parts.file.read(parts.reader.get().get()).ifPresent(kept -> {
            keptAt = kept.confirmedAt();
            last.publish(Optional.of(new PolicyFile.Kept(kept.offer(), Math.min(kept.confirmedAt(), now))));
            publish();
            LOG.info(
                    "the policy kept from {} is in force until it is stale",
                    kept.offer().place());
        });
    }

    /** At most three times, with a pause that doubles; what is still wrong then waits for the next turn. */
    private boolean fetch(TaskScope scope) {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long begun = scope.clock().nanos();
            long now = scope.clock().now().getEpochSecond();
            try {
                Deadline deadline = scope.untilStop().within(registry().timeout());
                Offer offer =
                        parts.source.fetch(last.get().map(kept -> kept.offer().place()), deadline);
                fetches.record(scope.clock().nanos() - begun);
                accept(offer, now);
                return true;
            } catch (Canceled stopped) {
                throw stopped;
            } catch (Refused e) {
                // Asking again would give the same answer: somebody lies, or a person has to look.
                failures.increment();
                LOG.error(
                        "the registry's policy is refused ({}): {}", e.reason().wire(), e.detail());
                return false;
            } catch (Exception e) {
                if (e instanceof RonException failed
                        && (failed.code() == Code.TIMEOUT || failed.code() == Code.UPSTREAM_TIMEOUT)) {
                    timeouts.increment();
                }
                if (e instanceof RonException failed && failed.reason().equals(RegistryClient.STARTING)) {
                    LOG.debug("the policy is not there yet: {}", e.getMessage());
                } else {
                    failures.increment();
                    LOG.warn("the policy could not be fetched: {}", e.getMessage());
                }
            }
            if (attempt == ATTEMPTS || !scope.sleep(jittered(pause))) {
                return false;
            }
            retries.increment();
            pause = pause.multipliedBy(2);
        }
        return false;
    }

    private void accept(Offer offer, long now) throws Refused {
        Optional<PolicyFile.Kept> before = last.get();
        Optional<Policy> known = before.flatMap(kept -> kept.offer().policy());
        if (known.isPresent() && offer.policy().isPresent()) {
            requireNewer(known.get(), offer.policy().get());
        }
        boolean moved = before.isEmpty() || !before.get().offer().place().equals(offer.place());
        // By the log's own signature and not by this answer, which may be an old one that somebody repeats. A clock
        // ahead of ours makes nothing younger than now, and one behind takes its lag off the policy's time.
        long seenAt = Math.max(
                offer.seenAt(), before.map(PolicyFile.Kept::confirmedAt).orElse(0L));
        PolicyFile.Kept fresh = new PolicyFile.Kept(offer, Math.min(now, seenAt));
        last.publish(Optional.of(fresh));
        publish();
        if (moved || now - keptAt >= registry().maxAge().toSeconds() / KEEP_PARTS) {
            parts.file.keep(fresh);
            keptAt = now;
        }
        if (!known.map(Policy::version).equals(offer.policy().map(Policy::version))) {
            tell(offer);
        }
    }

    private static void requireNewer(Policy known, Policy fresh) throws Refused {
        if (fresh.version() < known.version()) {
            throw new Refused(
                    Reason.VERSION_SKEW,
                    "policy " + fresh.version() + " is offered, " + known.version() + " was known");
        }
        // One number for two texts means that somebody lies; the one that was there first stays until it is stale.
        if (fresh.version() == known.version() && !fresh.saysTheSame(known)) {
            throw new Refused(Reason.STATE_MISMATCH, "another policy is offered under the number " + known.version());
        }
    }

    private void publish() {
        last.get().ifPresent(kept -> {
            long until = kept.confirmedAt() + registry().maxAge().toSeconds();
            parts.desk.publish(kept.offer()
                    .policy()
                    .map(policy -> policy.narrowedBy(parts.config.get()).confirmedUntil(until)));
        });
    }

    private void tell(Offer offer) {
        long version = offer.policy().map(Policy::version).orElse(0L);
        LOG.info("policy {} is in force, as of {}", version, offer.place());
        String hash = B3.of(offer.bundle().getBytes(StandardCharsets.UTF_8)).text();
        parts.bus.publish(new BusEvent.PolicyUpdated(version, hash));
    }

    private static Duration jittered(Duration interval) {
        double factor = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return Duration.ofNanos((long) (interval.toNanos() * factor));
    }
}
