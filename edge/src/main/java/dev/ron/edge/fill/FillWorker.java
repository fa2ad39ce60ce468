package dev.ron.edge.fill;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.http.client.Target;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Takes fills from the queue one by one; whatever happens, those who wait for one are told. */
public final class FillWorker {
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(5);
    private static final Duration REFUSAL_MEMORY = Duration.ofSeconds(10);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final Mailbox<FillJob> work;
    private final Flights<Errand, Filled> flights;
    private final AssetIndex index;
    private final Fetch fetch;
    private final Outages outages;
    private final Retry retry;
    private final Fills.FilledSender sender;
    private final FillMeter meter;
    private final Broadcast<FillEvent> events;
    private final Supplier<EdgeConfig> config;
    private final Clock clock;

    FillWorker(
            Mailbox<FillJob> work,
            Flights<Errand, Filled> flights,
            AssetIndex index,
            Fetch fetch,
            Outages outages,
            Retry retry,
            Fills.FilledSender sender,
            FillMeter meter,
            Broadcast<FillEvent> events,
            Supplier<EdgeConfig> config,
            Clock clock) {
        this.work = work;
        this.flights = flights;
        this.index = index;
        this.fetch = fetch;
        this.outages = outages;
        this.retry = retry;
        this.sender = sender;
        this.meter = meter;
        this.events = events;
        this.config = config;
        this.clock = clock;
    }

    public void run(TaskScope scope) throws Exception {
        while (true) {
            Optional<Delivery<FillJob>> next = work.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            FillJob job = next.get().item();
            if (job.flight().begin()) {
                fill(job);
            } else {
                meter.canceled(); // everyone had left before its turn came
            }
        }
    }

    private void fill(FillJob job) throws Exception {
        AssetKey key = job.key();
        boolean landed = false;
        long began = clock.nanos();
        try (Spare.Share share = fetch.share()) {
            Filled filled = inHand(key, bring(job, share));
            if (filled.ready().isEmpty() && job.before().isPresent()) {
                // The store lost the object for which the origin said "not modified": now it is asked for all of it.
                filled = inHand(key, bring(job, share));
            }
            try {
                keep(job, filled, clock.nanos() - began);
                flights.land(job.errand(), job.flight(), new Flight.Brought<>(filled));
            } finally {
                filled.ready().ifPresent(Ready::release);
            }
            landed = true;
        } catch (RonException why) {
            refuse(job, why);
            landed = true;
            if (why.code() == Code.CANCELED) {
                throw why;
            }
        } finally {
            if (!landed) {
                // A defect, or the end of this worker: its failure goes on to the supervisor, the
                // answer to the callers.
                flights.fail(
                        job.errand(),
                        job.flight(),
                        new RonException(Code.INTERNAL, "internal", "the fill was broken off"));
            }
        }
    }

    private Filled bring(FillJob job, Spare.Share share) throws Exception {
        Errand errand = job.errand();
        Target origin = errand.key().origin();
        return retry.call(
                budget(),
                () -> outages.attempt(origin, () -> {
                    meter.attempt(origin.host());
                    return fetch.once(errand, job.before(), share);
                }));
    }

    /** The same, held for everyone who waits. */
    private Filled inHand(AssetKey key, Filled filled) {
        return switch (filled) {
            case Filled.Kept(Stored stored, boolean written, Optional<Ready> _) ->
                new Filled.Kept(stored, written, sender.ready(key, stored, written));
            case Filled.Passing object ->
                new Filled.Passing(
                        object.mediaType(), object.bytes(), object.digest(), Optional.of(sender.passing(object)));
        };
    }

    /** The fill's own clock: every attempt may use its time, whoever still waits. */
    private Deadline budget() {
        EdgeConfig now = config.get();
        EdgeConfig.LiveFillRetry waits = now.retry().liveFill();
        int attempts = 1 + waits.maxRetries();
        return Deadline.after(
                clock,
                Duration.ofSeconds((long) attempts * now.liveFill().timeoutSecs())
                        .plusMillis((long) attempts * (waits.maxMs() + waits.baseMs()))
                        .plus(SLACK));
    }

    private void keep(FillJob job, Filled filled, long nanos) {
        AssetKey key = job.key();
        meter.success(key.origin().host(), nanos);
        switch (filled) {
            case Filled.Kept(Stored stored, boolean _, Optional<Ready> _) -> {
                // Before the flight leaves the map: who misses the one finds the other.
                index.put(key, stored, job.purges());
                events.publish(
                        new FillEvent.Brought(key.toString(), stored.digest().hex(), stored.size()));
            }
            case Filled.Passing passing -> {
                if (!index.purgedSince(key, job.purges())) {
                    index.remove(key); // what was here is no longer what the origin gives
                }
                meter.uncacheable();
                events.publish(new FillEvent.Brought(
                        key.toString(), "", passing.bytes().remaining()));
            }
        }
    }

    private void refuse(FillJob job, RonException why) {
        AssetKey key = job.key();
        meter.failure(why);
        events.publish(new FillEvent.Refused(key.toString(), why.reason(), why.detail()));
        if (!index.purgedSince(key, job.purges())) {
            remember(job, why); // what was so before a purge says nothing of what is there now
        }
        flights.fail(job.errand(), job.flight(), why);
    }

    private void remember(FillJob job, RonException why) {
        AssetKey key = job.key();
        if (Verdict.isOfTheRequest(why, job.errand().loop())) {
            return;
        }
        if (Verdict.takesBack(why)) {
            index.remove(key);
        }
        switch (why.code()) {
            case NOT_FOUND ->
                index.miss(key, why, Duration.ofSeconds(config.get().liveFill().negativeTtlSecs()), job.purges());
            case UPSTREAM_PARSE, POLICY_REJECT -> index.miss(key, why, REFUSAL_MEMORY, job.purges());
            case UPSTREAM_TIMEOUT, UPSTREAM_CONNECT, UNAVAILABLE -> index.miss(key, why, FAILURE_MEMORY, job.purges());
            default -> {}
        }
    }
}
