package dev.ron.service.keys;

import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.Tenants;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the published keys of an issuer that is none of ours (Keycloak, Ory, Dex, Entra): its access tokens are good
 * until they expire, for it tells nobody what it has revoked.
 *
 * <p>A request never waits for a fetch. One that meets an unknown key asks for one, and however many ask, there is at most
 * one in half a minute. A failed fetch takes no known key away, until they are six hours old.
 */
public final class ForeignIssuer {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignIssuer.class);
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration SPACING = Duration.ofSeconds(30);
    private static final Duration MAX_STALE = Duration.ofHours(6);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration STEP_LIMIT = Duration.ofSeconds(3);
    private static final int MOST_FAILURES = 6;

    private final Source source;
    private final JwksPlace place;
    private final HttpClient client;
    private final Clock clock;
    private final Meter.Count fetched;
    private final Meter.Count failed;
    private final Snapshot<Known> known;
    private volatile boolean wished;
    // Only the task touches these.
    private Optional<String> tag = Optional.empty();
    private long triedAt;
    private int failures;

    /**
     * An issuer, where its keys are, and which of its tokens are taken.
     *
     * @param jwks empty where the issuer is to say it
     * @param tenants the tenants it may speak for; its tokens belong to the only one where they name none
     */
    public record Source(JwtConfig rules, Optional<URI> jwks, Tenants tenants) {}

    private record Known(JwkSet keys, long confirmedAt) {}

    public ForeignIssuer(Source source, HttpClient client, Clock clock, Meter meter) {
        this.source = source;
        this.place = new JwksPlace(source.rules().issuer(), source.jwks());
        this.client = client;
        this.clock = clock;
        this.fetched = meter.counter("auth_jwks_refresh_total", "result", "ok");
        this.failed = meter.counter("auth_jwks_refresh_total", "result", "error");
        this.known = new Snapshot<>(new Known(new JwkSet(List.of(), 0, 0, false), clock.nanos()));
        this.triedAt = clock.nanos() - EVERY.toNanos();
    }

    public Source source() {
        return source;
    }

    /** An equal set until there is news. */
    public JwkSet published() {
        return known.get().keys();
    }

    /** Whether the issuer has not been heard for so long that a key may have been taken back unnoticed. */
    public boolean isTooOld() {
        return clock.nanos() - known.get().confirmedAt() > MAX_STALE.toNanos();
    }

    /** Says that a token names a key that is not known here. */
    public void wish() {
        wished = true;
    }

    public void run(TaskScope scope) throws Exception {
        do {
            if (isDue()) {
                tryFetch(scope);
            }
        } while (scope.sleep(TICK));
    }

    private boolean isDue() {
        Duration pause = wished ? SPACING : EVERY;
        if (failures > 0) {
            pause = TICK.multipliedBy(1L << Math.min(failures, MOST_FAILURES));
        }
        return clock.nanos() - triedAt >= pause.toNanos();
    }

    private void tryFetch(TaskScope scope) throws Exception {
        triedAt = clock.nanos();
        wished = false;
        try {
            CallContext.of(scope.untilStop().within(STEP_LIMIT), scope.name()).call(() -> {
                fetch();
                return true;
            });
            fetched.increment();
            failures = 0;
        } catch (Canceled stopped) {
            throw stopped;
        } catch (RonException | Refused e) {
            failed.increment();
            failures++;
            place.forget();
            LOG.debug("keys of {}: {}", source.rules().issuer(), e.getMessage());
        }
    }

    private void fetch() throws Refused {
        ClientRequest request = ClientRequest.get(place.find(client).toString()).maxBodyBytes(JwkSet.MAX_BYTES);
        tag.ifPresent(last -> request.header("If-None-Match", last));
        ClientResponse response = client.send(request);
        if (response.status() == 200) {
            JwkSet before = known.get().keys();
            JwkSet now = JwkSet.parse(response.body());
            if (now.keys().isEmpty()) {
                throw new Refused(Reason.STALE_STATE, "it publishes no key that can be used");
            }
            // The same object while nothing changes: who reads it looks for changes at every token.
            known.publish(new Known(now.equals(before) ? before : now, clock.nanos()));
            tag = response.header("etag");
        } else if (response.status() == 304) {
            known.publish(new Known(known.get().keys(), clock.nanos()));
        } else {
            throw new Refused(Reason.STALE_STATE, "it answers " + response.status() + " to a request for its keys");
        }
    }

    /** Whether these name algorithms that can be taken, each once and at least one. */
    public static boolean areAlgs(List<String> names) {
        return !names.isEmpty() && algs(names).size() == names.size();
    }

    /** The algorithms of these names (RFC 7518, 8037, 9864); those that are none are left out. */
    public static Set<JwtAlg> algs(List<String> names) {
        return Arrays.stream(JwtAlg.values())
                .filter(alg -> names.contains(alg.wire()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
