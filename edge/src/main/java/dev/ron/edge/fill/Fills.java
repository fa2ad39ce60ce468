package dev.ron.edge.fill;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.time.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The way of a request for an object of an origin: what is fresh is given at once, what is not is fetched by one flight,
 * however many ask. Event loop only.
 */
public final class Fills {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int MOST_TARGET = 2048;

    private final Flights<Errand, Filled> flights;
    private final Mailbox<FillJob> work;
    private final AssetIndex index;
    private final FilledSender sender;
    private final TokenBucket rate;
    private final FillMeter meter;
    private final Supplier<EdgeConfig> config;
    private final Clock clock;
    private final Map<String, Permits> waiting = new ConcurrentHashMap<>();
    private volatile Allowed allowed;

    /** The hosts of a configuration: there may be many, and every miss looks at them. */
    private record Allowed(List<String> of, AllowList hosts) {}

    /** Sends what is in the store. */
    public interface FilledSender {
        /** Answers with a stored object; runs {@code gone} instead if the store has lost it. */
        void stored(Exchange exchange, AssetKey key, Stored object, String status, Runnable gone);

        /** Takes a stored object in hand for those who wait for it; on a worker. Nothing if the store has lost it. */
        Optional<Ready> ready(AssetKey key, Stored object, boolean written);

        /** Takes an object in hand that is not kept; it copies, so on a worker. */
        Ready passing(Filled.Passing object);

        /** Counts an answer from the memory of what is missing. */
        void negative();

        /** Counts a miss. */
        void miss(boolean stale);
    }

    Fills(
            Flights<Errand, Filled> flights,
            Mailbox<FillJob> work,
            AssetIndex index,
            FilledSender sender,
            TokenBucket rate,
            FillMeter meter,
            Supplier<EdgeConfig> config,
            Clock clock) {
        this.flights = flights;
        this.work = work;
        this.index = index;
        this.sender = sender;
        this.rate = rate;
        this.meter = meter;
        this.config = config;
        this.clock = clock;
        List<String> hosts = config.get().allow();
        this.allowed = new Allowed(hosts, new AllowList(hosts));
    }

    public void handle(Exchange exchange, AssetKey key) {
        if (key.target().length() > MOST_TARGET) {
            throw new RonException(
                    Code.URI_CAP,
                    "headers",
                    "the path has " + key.target().length() + " bytes (expected: at most " + MOST_TARGET + ")");
        }
        Stored object = index.get(key);
        Instant now = clock.now();
        if (object != null && object.isFresh(now)) {
            sender.stored(exchange, key, object, "edge; hit", () -> lost(exchange, key, object));
            return;
        }
        int grace = config.get().liveFill().swrSecs();
        if (object != null && grace > 0 && object.isWithin(now, grace)) {
            refreshBehind(exchange, key);
            sender.stored(exchange, key, object, hitLate(object, now), () -> lost(exchange, key, object));
            return;
        }
        fetch(exchange, key, object != null);
    }

    private static String hitLate(Stored object, Instant now) {
        return "edge; hit; ttl=-" + (now.getEpochSecond() - object.freshUntil().getEpochSecond());
    }

    /** The store has evicted or lost it: as if it had never been here. */
    private void lost(Exchange exchange, AssetKey key, Stored object) {
        index.remove(key, object);
        fetch(exchange, key, false);
    }

    private void fetch(Exchange exchange, AssetKey key, boolean stale) {
        Optional<RonException> refused = refusal(exchange, key);
        if (refused.isPresent()) {
            throw refused.get();
        }
        Optional<RonException> known = index.missing(key);
        if (known.isPresent()) {
            sender.negative();
            refuse(exchange, key, known.get(), false);
            return;
        }
        sender.miss(stale);
        Preference preference = Preference.of(exchange.headers());
        if (preference.atOnce()) {
            later(exchange, key, preference);
            return;
        }
        Permits cap = waiting.computeIfAbsent(
                key.origin().authority(),
                host -> new Permits(
                        "waiters of " + host, config.get().liveFill().maxWaiters()));
        if (!cap.tryAcquire()) {
            throw busy(
                    "too many requests wait for " + key.origin().host() + "; edge.live_fill.max_waiters bounds them");
        }
        Waiting waiter = new Waiting(exchange, key, stale, cap);
        preference.most().ifPresent(most -> waiter.waitsAtMost(most, preference));
        Flights.Joined<Filled> joined = flights.join(waiter.errand, flight -> {
            waiter.flight = flight;
            return flight.join(waiter);
        });
        exchange.onOver(waiter::gone);
        switch (joined) {
            case Flights.Coalesced<Filled> _ -> {
                waiter.coalesced = true;
                meter.coalesced();
            }
            case Flights.First<Filled>(Flight<Filled> flight) -> launch(waiter.errand, flight);
        }
    }

    /** Why nothing may be fetched for this request. */
    private Optional<RonException> refusal(Exchange exchange, AssetKey key) {
        if (!allowed().allows(key.origin().host(), key.origin().port())) {
            return Optional.of(new RonException(
                    Code.POLICY_REJECT,
                    "not_allowed",
                    key.origin().authority() + " is not among the hosts of edge.allow"));
        }
        return CdnLoop.refusal(exchange.headers());
    }

    private AllowList allowed() {
        List<String> now = config.get().allow();
        Allowed last = allowed;
        if (!now.equals(last.of())) {
            last = new Allowed(now, new AllowList(now));
            allowed = last;
        }
        return last.hosts();
    }

    private static Errand errand(Exchange exchange, AssetKey key) {
        return new Errand(key, CdnLoop.of(exchange.headers()));
    }

    /** Puts a new flight on its way; or brings it down, and returns the reason why it cannot be made. */
    private Optional<RonException> launch(Errand errand, Flight<Filled> flight) {
        AssetKey key = errand.key();
        long purges = index.purges();
        Stored meanwhile = index.get(key);
        if (meanwhile != null && meanwhile.isFresh(clock.now())) {
            // The flight before this one landed between our two looks.
            flights.land(errand, flight, new Flight.Brought<>(new Filled.Kept(meanwhile, false, Optional.empty())));
            return Optional.empty();
        }
        FillJob job = new FillJob(errand, flight, Optional.ofNullable(meanwhile), purges);
        // It may have landed with nothing, too.
        Optional<RonException> refused = index.missing(key).or(() -> enqueue(job));
        refused.ifPresent(why -> flights.fail(errand, flight, why));
        return refused;
    }

    private Optional<RonException> enqueue(FillJob job) {
        long wait = rate.tryTake();
        if (wait > 0) {
            return Optional.of(new RonException(
                    Code.RATE_LIMITED,
                    "rate_limit",
                    "over the rate of fills, edge.live_fill.rps",
                    Duration.ofNanos(wait),
                    null));
        }
        return switch (work.trySend(job)) {
            case ACCEPTED -> Optional.empty();
            case FULL -> {
                meter.queueFull();
                yield Optional.of(busy("the queue of fills is full"));
            }
            case CLOSED -> Optional.of(new RonException(Code.DRAINING, "draining", "the service is stopping"));
        };
    }

    private static RonException busy(String detail) {
        return new RonException(Code.BUSY, "busy", detail, SOON, null);
    }

    /** 202: the fetch is made whether or not its caller stays; what cannot be made is refused now, not promised. */
    private void later(Exchange exchange, AssetKey key, Preference preference) {
        Errand errand = errand(exchange, key);
        if (flights.join(errand, Flight::pin) instanceof Flights.First<Filled>(Flight<Filled> flight)) {
            Optional<RonException> refused = launch(errand, flight);
            if (refused.isPresent()) {
                exchange.fail(refused.get());
                return;
            }
        }
        byte[] body = JsonNodeFactory.instance
                .objectNode()
                .put("status", "queued")
                .put("key", key.toString())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        exchange.respond(Response.of(
                202,
                Headers.of(
                        "Content-Type", "application/json",
                        "Preference-Applied", preference.applied(),
                        "Location", exchange.path() + (exchange.query().isEmpty() ? "" : "?" + exchange.query()),
                        "Retry-After", "1",
                        "Cache-Control", "no-store"),
                body));
    }

    /** Nobody waits for it: where it may not or cannot be made now, a later request tries again. */
    private void refreshBehind(Exchange exchange, AssetKey key) {
        Errand errand = errand(exchange, key);
        if (refusal(exchange, key).isEmpty()
                && index.missing(key).isEmpty()
                && flights.join(errand, Flight::pin) instanceof Flights.First<Filled>(Flight<Filled> flight)) {
            launch(errand, flight);
        }
    }

    private void settle(Waiting waiter, Flight.Outcome<Filled> outcome, Optional<Ready> ready) {
        Exchange exchange = waiter.exchange;
        if (exchange.over() || exchange.answered()) {
            ready.ifPresent(Ready::release);
            return;
        }
        String how = waiter.stale ? "edge; fwd=stale" : "edge; fwd=miss";
        String status = how + "; stored" + (waiter.coalesced ? "; collapsed" : "");
        if (ready.isPresent()) {
            ready.get().send(exchange, status);
            return;
        }
        switch (outcome) {
            case Flight.Brought<Filled>(Filled.Kept(Stored object, boolean _, Optional<Ready> _)) ->
                sender.stored(
                        exchange,
                        waiter.key,
                        object,
                        status,
                        () -> exchange.fail(new RonException(
                                Code.STORAGE_BUSY, "cas_full", "the store had no room for the object")));
            case Flight.Brought<Filled>(Filled.Passing _) ->
                // It joined in the instant in which the worker let go of it.
                exchange.fail(busy("an object that is not kept was passed on a moment ago; ask again"));
            case Flight.Failed<Filled>(RonException why) ->
                refuse(exchange, waiter.key, why, why.code() != Code.CIRCUIT_OPEN);
        }
    }

    /**
     * Refuses, or gives what is stale where the configuration allows that while the origin fails.
     *
     * @param asked whether the origin was asked for this request: then it was no hit, whatever it got
     */
    private void refuse(Exchange exchange, AssetKey key, RonException why, boolean asked) {
        int grace = config.get().liveFill().staleIfErrorSecs();
        boolean origin = switch (why.code()) {
            case UPSTREAM_TIMEOUT, UPSTREAM_CONNECT, UPSTREAM_PARSE, UNAVAILABLE, CIRCUIT_OPEN -> true;
            default -> false;
        };
        Stored object = origin && grace > 0 ? index.get(key) : null;
        Instant now = clock.now();
        if (object != null && object.isWithin(now, grace)) {
            String status = asked ? "edge; fwd=stale" : hitLate(object, now);
            sender.stored(exchange, key, object, status, () -> exchange.fail(why));
        } else {
            exchange.fail(why);
        }
    }

    /** How many requests wait for fills. */
    public int waiters() {
        return flights.sum(Flight::waiting);
    }

    /** One request in a flight; it leaves when its caller does, when its deadline passes, or when it is told. */
    private final class Waiting implements Flight.Waiter<Filled> {
        private final Exchange exchange;
        private final AssetKey key;
        private final Errand errand;
        private final boolean stale;
        private final Permits cap;
        private @Nullable Flight<Filled> flight;
        private @Nullable Timeout patience;
        private boolean coalesced;
        private boolean released;

        Waiting(Exchange exchange, AssetKey key, boolean stale, Permits cap) {
            this.exchange = exchange;
            this.key = key;
            this.errand = errand(exchange, key);
            this.stale = stale;
            this.cap = cap;
        }

        @Override
        public void told(Flight.Outcome<Filled> outcome) {
            // The hold is taken here, where whoever brings the object still has it.
            Optional<Ready> ready = outcome instanceof Flight.Brought<Filled>(Filled brought)
                    ? brought.ready().filter(Ready::hold)
                    : Optional.empty();
            try {
                exchange.loop().execute(() -> {
                    release();
                    settle(this, outcome, ready);
                });
            } catch (RejectedExecutionException _) {
                ready.ifPresent(Ready::release); // the connection has ended with its loop
            }
        }

        /** The caller's own patience: shorter than the deadline, never longer. */
        void waitsAtMost(Duration most, Preference preference) {
            Timeout own = new Timeout(exchange.timers()) {
                @Override
                protected void expired() {
                    if (!released && !exchange.answered() && !exchange.over()) {
                        impatient(preference);
                    }
                }
            };
            own.after(most.toNanos());
            patience = own;
        }

        private void impatient(Preference preference) {
            if (preference.async()) {
                later(exchange, key, preference); // it goes on: pinned before this waiter leaves
            } else {
                exchange.fail(new RonException(
                        Code.UNAVAILABLE,
                        "timeout",
                        "the object was not here in the time that was asked for",
                        SOON,
                        null));
            }
        }

        private void gone() {
            release();
            Flight<Filled> joined = flight;
            if (joined != null && joined.leave(this)) {
                flights.forget(errand, joined);
            }
        }

        private void release() {
            if (!released) {
                released = true;
                cap.release();
                if (patience != null) {
                    patience.cancel();
                }
            }
        }
    }
}
