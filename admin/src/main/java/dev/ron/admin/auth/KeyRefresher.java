package dev.ron.admin.auth;

import dev.ron.admin.AdminMetrics;
import dev.ron.admin.AuthConfig;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.keys.JwksPlace;
import dev.ron.token.Refused;
import dev.ron.token.keys.JwkSet;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the issuer's keys: the one writer of the key set, and the only part that asks the issuer for them.
 *
 * <p>It fetches when its timer says so or when a request met an unknown key id. Wishes come through a bounded queue and
 * are answered together; two fetches are at least half a minute apart, however many unknown ids are thrown at the door. A
 * failed fetch never takes a known key away.
 */
public final class KeyRefresher {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRefresher.class);
    private static final Duration SPACING = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(60);

    private final JwksPlace place;
    private final HttpClient client;
    private final AuthConfig config;
    private final Mailbox<String> wishes;
    private final Guarded<Spacing> spacing;
    private final Snapshot<KeySet> keys = new Snapshot<>(KeySet.NONE);
    private final Clock clock;
    private final AdminMetrics metrics;
    private final Broadcast<FleetEvent> events;

    /** When the last wish was let through. */
    public static final class Spacing {
        private long last = Long.MIN_VALUE;
    }

    public KeyRefresher(
            JwksPlace place,
            HttpClient client,
            AuthConfig config,
            Mailbox<String> wishes,
            Guarded<Spacing> spacing,
            Clock clock,
            AdminMetrics metrics,
            Broadcast<FleetEvent> events) {
        this.place = place;
        this.client = client;
        this.config = config;
        this.wishes = wishes;
        this.spacing = spacing;
        this.clock = clock;
        this.metrics = metrics;
        this.events = events;
    }

    public KeySet keys() {
        return keys.get();
    }

    /** Seconds since the keys were confirmed. */
    public long ageSeconds() {
        return (clock.nanos() - keys.get().fetchedNanos()) / 1_000_000_000L;
    }

    /** Whether the known keys may still be used. */
    public boolean usable() {
        return keys.get().size() > 0 && ageSeconds() <= config.jwksMaxStale().toSeconds();
    }

    /** fresh, offline or unavailable. */
    public String state() {
        return !usable() ? "unavailable" : keys.get().trouble().isEmpty() ? "fresh" : "offline";
    }

    /** A request met a key id that is not known: never waits, and most such wishes change nothing. */
    public void wish(String why) {
        long now = clock.nanos();
        boolean mayAsk = spacing.with(s -> {
            boolean passed = s.last == Long.MIN_VALUE || now - s.last >= SPACING.toNanos();
            s.last = passed ? now : s.last;
            return passed;
        });
        if (mayAsk && wishes.trySend(why) == Sent.FULL) {
            LOG.debug("a wish for new keys was dropped: others wait already");
        }
    }

    public void run(TaskScope scope) {
        Duration pause = FIRST_PAUSE;
        while (!scope.stopping()) {
            String before = state();
            Duration next;
            if (fetched()) {
                pause = FIRST_PAUSE;
                next = jittered(config.jwksRefresh());
            } else {
                next = jittered(pause);
                pause = pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
            }
            if (!state().equals(before)) {
                events.publish(new FleetEvent.Auth(state()));
            }
            // The newest wish stands for all that wait.
            if (wishes.receive(Deadline.after(clock, next)).isPresent()) {
                while (wishes.tryReceive().isPresent()) {
                    // answered by the same fetch
                }
            }
            if (wishes.finished()) {
                return;
            }
        }
    }

    private static Duration jittered(Duration interval) {
        return Duration.ofNanos((long)
                (interval.toNanos() * (0.9 + 0.2 * ThreadLocalRandom.current().nextDouble())));
    }

    private boolean fetched() {
        KeySet known = keys.get();
        try {
            keys.publish(fetch(known));
            metrics.refreshed("ok");
            return true;
        } catch (Canceled stopped) {
            throw stopped;
        } catch (RonException failure) {
            if (failure.code() == Code.UPSTREAM_TIMEOUT) {
                metrics.refreshTimedOut();
            }
            return failed(known, failure.detail());
        } catch (Refused refused) {
            return failed(known, refused.detail());
        }
    }

    private boolean failed(KeySet known, String why) {
        metrics.refreshed("error");
        place.forget();
        LOG.warn("the issuer's keys cannot be fetched: {}", why);
        keys.publish(known.failed(why));
        return false;
    }

    private KeySet fetch(KeySet known) throws Refused {
        ClientRequest request = ClientRequest.get(address()).maxBodyBytes(JwkSet.MAX_BYTES);
        known.tag().ifPresent(tag -> request.header("If-None-Match", tag));
        ClientResponse response = timed(() -> client.send(request));
        if (response.status() == 304 && known.keys().isPresent()) {
            return new KeySet(known.keys(), known.tag(), clock.nanos(), "");
        }
        if (response.status() != 200) {
            throw new RonException(Code.UPSTREAM_PARSE, "upstream_status", "the issuer answers " + response.status());
        }
        JwkSet set = JwkSet.parse(response.body());
        if (set.keys().isEmpty()) {
            throw new RonException(
                    Code.UPSTREAM_PARSE, "upstream_parse", "the issuer publishes no key that can be used");
        }
        return new KeySet(java.util.Optional.of(set), response.header("etag"), clock.nanos(), "");
    }

    private String address() throws Refused {
        return timed(() -> place.find(client)).toString();
    }

    private <T> T timed(Callable<T> call) throws Refused {
        try {
            return CallContext.current()
                    .withDeadline(Deadline.after(clock, config.jwksTimeout()))
                    .call(call);
        } catch (RonException | Refused e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a call fails with a RonException only", e);
        }
    }
}
