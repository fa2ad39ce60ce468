package dev.ron.service.keys;

import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Revocations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one issuer: its published keys, and its revocations as they happen.
 *
 * <p>The feed is waited on at the issuer, so a revocation is here as soon as it is told; its signed {@code as_of} says how
 * fresh the state is, and a verifier denies by that when the feed is lost. Keys are fetched every minute, and at once
 * when the feed is signed by an unknown key or revokes one. A failed fetch never takes a known key away, nor a turn from
 * the feed.
 */
public final class IssuerKeys {
    /** The task that a host declares and runs {@link #run} on. */
    public static final TaskSpec TASK = Topology.task("key-refresher")
            .critical(TaskSpec.Criticality.HIGH)
            .stage(Stage.WORK)
            .does("follows the issuer's keys and revocations");

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Duration KEYS_EVERY = Duration.ofSeconds(60);
    private static final Duration KEYS_AGAIN = Duration.ofSeconds(10);
    private static final Duration KEYS_LIMIT = Duration.ofSeconds(3);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(2);
    private static final int WAIT_SECONDS = 5;
    private static final Duration STEP_LIMIT = Duration.ofSeconds(9);

    private final IssuerSource source;
    private final HttpClient client;
    private final Clock clock;
    private final Signatures signatures = Signatures.best();
    private final Meter.Count fetched;
    private final Meter.Count failed;
    private final Snapshot<IssuerState> state;
    private final Snapshot<JwkSet> published = new Snapshot<>(new JwkSet(List.of(), 0, 0, false));
    // Only the task touches these.
    private long seq;
    private boolean complete;
    private Optional<String> tag = Optional.empty();
    private long keysDue;
    private String told = "";

    public IssuerKeys(IssuerSource source, HttpClient client, Clock clock, Meter meter) {
        this.source = source;
        this.client = client;
        this.clock = clock;
        this.fetched = meter.counter("auth_jwks_refresh_total", "result", "ok");
        this.failed = meter.counter("auth_jwks_refresh_total", "result", "error");
        this.keysDue = clock.nanos();
        // As of the year 1970: stale, so everything is denied until the issuer has been heard.
        this.state = new Snapshot<>(IssuerState.of(source.iss(), List.of(), Revocations.none(0), source.tenants()));
    }

    /** What is known now; replaced whole. */
    public KeyState state() {
        return KeyState.of(state.get());
    }

    /** The same without its wrapping: the identical object until there is news. */
    public IssuerState issuer() {
        return state.get();
    }

    /** The key set as it was published, for tokens that are not capabilities. */
    public JwkSet published() {
        return published.get();
    }

    /** How old the revocations are, in seconds. */
    public long ageSeconds() {
        return state.get().revocations().age(clock.now().getEpochSecond());
    }

    public void run(TaskScope scope) throws Exception {
        Duration pause = FIRST_PAUSE;
        while (!scope.stopping()) {
            try {
                // A stop ends a call that waits: nobody may ever take it from the queue of a socket that is held
                // for an office.
                boolean news = CallContext.of(scope.untilStop().within(STEP_LIMIT), scope.name())
                        .call(this::step);
                pause = FIRST_PAUSE;
                heardAgain();
                // An office that stops holds no question until there is news: it is not asked without a breath between.
                if (!news && !scope.sleep(FIRST_PAUSE)) {
                    return;
                }
            } catch (Canceled stopped) {
                throw stopped;
            } catch (RonException | Refused e) {
                // Whoever answers next may be an office that was set up again from a backup and counts anew; one
                // that is full is the same as before, and the full set is what it can least afford.
                complete = complete && isBusy(e);
                failed.increment();
                tell(String.valueOf(e.getMessage()), pause);
                if (!scope.sleep(pause)) {
                    return;
                }
                pause = pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
            }
        }
    }

    private static boolean isBusy(Exception e) {
        return e instanceof RonException refused && refused.code() == Code.BUSY;
    }

    /** A moment's silence is no news: an office may start or stop. One that lasts is told once for each cause. */
    private void tell(String why, Duration pause) {
        if (pause.equals(LAST_PAUSE) && !why.equals(told)) {
            told = why;
            LOG.warn("keys of {} do not come, and without them its tokens are refused: {}", source, why);
        } else {
            LOG.debug("keys of {}: {}", source, why);
        }
    }

    private void heardAgain() {
        if (!told.isEmpty()) {
            told = "";
            LOG.info("keys of {} are here again", source);
        }
    }

    /** Whether there was anything new. */
    private boolean step() throws Exception {
        if (clock.nanos() - keysDue >= 0) {
            refreshKeys();
        }
        try {
            return fetchRevocations();
        } catch (Refused e) {
            if (e.reason() == Reason.UNKNOWN_KID) {
                keysDue = clock.nanos();
            }
            throw e;
        }
    }

    /** Known keys outlast a fetch that fails; what is revoked meanwhile must be heard all the same. */
    private void refreshKeys() throws Exception {
        try {
            fetchKeys();
        } catch (Canceled stopped) {
            throw stopped;
        } catch (RonException | Refused e) {
            if (published.get().keys().isEmpty()) {
                throw e;
            }
            failed.increment();
            LOG.debug("keys of {} are not renewed: {}", source, e.getMessage());
            keysDue = clock.nanos() + KEYS_AGAIN.toNanos();
        }
    }

    private void fetchKeys() throws Exception {
        ClientRequest request =
                ClientRequest.get(source.base() + "/.well-known/jwks.json").maxBodyBytes(JwkSet.MAX_BYTES);
        tag.ifPresent(known -> request.header("If-None-Match", known));
        CallContext step = CallContext.current();
        ClientResponse response =
                step.withDeadline(step.deadline().within(KEYS_LIMIT)).call(() -> client.send(request));
        if (response.status() == 200) {
            JwkSet set = JwkSet.parse(response.body());
            published.publish(set);
            state.publish(state.get().withKeys(set));
            tag = response.header("etag");
        } else if (response.status() != 304) {
            throw new Refused(
                    Reason.STALE_STATE, "the issuer answers " + response.status() + " to a request for its keys");
        }
        keysDue = clock.nanos() + KEYS_EVERY.toNanos();
        fetched.increment();
    }

    private boolean fetchRevocations() throws Refused {
        // Without the whole set nothing is fresh: ask for it at once, without waiting for news.
        String query = complete ? "?since=" + seq + "&wait=" + WAIT_SECONDS : "?since=0&full=true";
        ClientRequest request = ClientRequest.get(source.base() + "/v1/passport/revocations" + query);
        source.credential().get().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        ClientResponse response = client.send(request);
        if (response.status() == 429) {
            throw new RonException(Code.BUSY, "busy", "the feed answers 429");
        }
        if (response.status() != 200) {
            throw new Refused(Reason.STALE_STATE, "the feed answers " + response.status());
        }
        IssuerState known = state.get();
        RevocationFeed feed = RevocationFeed.parse(response.body(), known, signatures);
        if (!complete && !feed.full()) {
            throw new Refused(Reason.STALE_STATE, "the feed is not the full set that was asked for");
        }
        Revocations news = feed.applyTo(known.revocations(), seq, clock.now().getEpochSecond());
        state.publish(known.withRevocations(news));
        boolean newer = !complete || feed.seq() != seq;
        seq = feed.seq();
        complete = true;
        if (feed.entries().stream().anyMatch(entry -> entry.revocation() instanceof Revocation.Key)) {
            keysDue = clock.nanos();
        }
        return newer;
    }
}
