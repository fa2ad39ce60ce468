package dev.ron.admin.api;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.Observed;
import dev.ron.admin.sample.Prober;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Round;
import dev.ron.admin.truth.Truth;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Asks a node on behalf of a person: one round at a time for everybody, and its answer for a second. */
final class LiveStatus {
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final Prober prober;
    private final Supplier<AdminConfig> config;
    private final Clock clock;
    private final Map<NodeRuntime, Flight> flights = new ConcurrentHashMap<>();

    /** A round that somebody asks for, or has asked for just now. */
    private record Flight(Reply<Observed> reply, long startedNanos, Object owner) {}

    LiveStatus(Prober prober, Supplier<AdminConfig> config, Clock clock) {
        this.prober = prober;
        this.config = config;
        this.clock = clock;
    }

    Observed ask(NodeRuntime node, Deadline deadline) {
        long now = clock.nanos();
        Flight mine = new Flight(new Reply<>(), now, new Object());
        Flight flight = flights.compute(
                node, (key, last) -> last == null || now - last.startedNanos() > FRESH_NANOS ? mine : last);
        if (!flight.owner().equals(mine.owner())) {
            return flight.reply().await(deadline);
        }
        try {
            Observed observed = round(node);
            mine.reply().complete(observed);
            return observed;
        } catch (RonException e) {
            mine.reply().fail(e instanceof Canceled ? new Canceled("a status round") : e);
            throw e;
        } finally {
            forgetOld(now);
        }
    }

    private Observed round(NodeRuntime node) {
        Observed known = node.observed();
        Answer version = known.round() == null
                ? new Answer.NotAsked(Prober.VERSION)
                : known.round().version();
        Round round = prober.ask(
                node.target(), config.get().upstream().statusTimeout(), !(version instanceof Answer.Said), version);
        return new Observed(round, Truth.of(round, 0, 1), known.replaced());
    }

    /** Flights are few: one per node that somebody looks at. */
    private void forgetOld(long now) {
        flights.values().removeIf(flight -> flight.reply().answered() && now - flight.startedNanos() > FRESH_NANOS);
    }
}
