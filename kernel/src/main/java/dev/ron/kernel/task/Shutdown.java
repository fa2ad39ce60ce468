package dev.ron.kernel.task;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way a process stops: Running, Draining, perhaps Aborting, Stopped.
 *
 * <p>Stages run in order and their members side by side under one deadline. The first request starts it; later ones are
 * counted and change nothing, except {@link #abortNow}, which ends the wait. No member can hold up the end: each is
 * asked on a thread of its own, and one that neither returns nor throws is given up like one that says it is not done.
 */
public final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration ABORT_GRACE = Duration.ofSeconds(1);
    private static final Duration ABORT_REPEAT = Duration.ofMillis(100);
    // Whoever waits for slow clients must leave the writers time to flush.
    private static final double SHARE_UP_TO_WORK = 0.9;

    private final Clock clock;
    private final Meter meter;
    private final Supplier<Duration> drainLimit;
    private final List<Drainable> members = new CopyOnWriteArrayList<>();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final Watch.Writer<Phase> phase = Watch.of(Phase.RUNNING);
    private final Watch.Writer<Optional<Report>> report = Watch.of(Optional.empty());
    private final Waiters changes = new Waiters();
    private volatile boolean abortAsked;
    private volatile Optional<Deadline> deadline = Optional.empty();

    /** How a shutdown went. */
    public record Report(String source, Duration took, int aborted, int leaked, List<String> unfinished) {
        public boolean clean() {
            return aborted == 0 && leaked == 0 && unfinished.isEmpty();
        }

        /** 0 clean, 3 work was aborted. */
        public int exitCode() {
            return clean() ? 0 : 3;
        }
    }

    public Shutdown(Clock clock, Meter meter, Supplier<Duration> drainLimit) {
        this.clock = clock;
        this.meter = meter;
        this.drainLimit = drainLimit;
    }

    public void register(Drainable member) {
        members.add(member);
    }

    public void unregister(Drainable member) {
        members.remove(member);
    }

    /** Starts the shutdown; true for the request that did. */
    public boolean request(String source, String reason) {
        meter.counter("shutdown_requests_total", "source", source).increment();
        if (!requested.compareAndSet(false, true)) {
            return false;
        }
        LOG.info("shutdown requested by {}: {}", source, reason);
        long start = clock.nanos();
        Duration limit = drainLimit.get();
        deadline = Optional.of(Deadline.after(clock, limit));
        phase.set(Phase.DRAINING);
        Thread.ofPlatform().name("shutdown").start(() -> run(source, start, limit));
        return true;
    }

    /** Gives up waiting for what still runs. */
    public void abortNow(String source) {
        abortAsked = true;
        request(source, "abort");
        changes.signalAll();
    }

    private void run(String source, long start, Duration limit) {
        List<String> unfinished = new ArrayList<>();
        Map<Drainable, Integer> aborted = new ConcurrentHashMap<>();
        int leaked = 0;
        for (Stage stage : Stage.values()) {
            List<Drainable> stuck =
                    members.stream().filter(member -> member.stage() == stage).toList();
            Deadline end = stageEnd(stage, start, limit);
            stuck = sideBySide(stuck, end, () -> givesUp(stage), member -> member.drain(end));
            if (!stuck.isEmpty()) {
                phase.set(Phase.ABORTING);
                stuck = abort(stuck, aborted);
            }
            for (Drainable member : stuck) {
                unfinished.add(member.name());
                leaked += member.leaked();
            }
        }
        Duration took = Duration.ofNanos(clock.nanos() - start);
        int given = aborted.values().stream().mapToInt(Integer::intValue).sum();
        finish(new Report(source, took, given, leaked, List.copyOf(unfinished)));
    }

    /** Requests are given up at once; what comes after them ends as soon as it is asked and gets the moment for it. */
    private boolean givesUp(Stage stage) {
        return abortAsked && stage.compareTo(Stage.WORK) <= 0;
    }

    /** A stage that comes late still gets a moment, for what ends as soon as it is asked. */
    private Deadline stageEnd(Stage stage, long start, Duration limit) {
        if (abortAsked) {
            return Deadline.after(clock, ABORT_REPEAT);
        }
        double share = stage.compareTo(Stage.WORK) <= 0 ? SHARE_UP_TO_WORK : 1;
        Deadline end = new Deadline(start + (long) (limit.toNanos() * share), clock);
        Deadline moment = Deadline.after(clock, ABORT_REPEAT);
        return end.atNanos() < moment.atNanos() ? moment : end;
    }

    private List<Drainable> abort(List<Drainable> stuck, Map<Drainable, Integer> aborted) {
        Deadline grace = Deadline.after(clock, ABORT_GRACE);
        List<Drainable> left = stuck;
        while (!left.isEmpty() && !grace.expired()) {
            Deadline round = grace.within(ABORT_REPEAT);
            left = sideBySide(left, round, () -> false, member -> {
                aborted.merge(member, member.abort(), Math::max);
                return member.drain(round);
            });
            if (!left.isEmpty()) {
                changes.await("shutdown", round, () -> null);
            }
        }
        return left;
    }

    /** Asks each member on a thread of its own; who has not said yes by the end, or when it is time to give up. */
    private List<Drainable> sideBySide(
            List<Drainable> asked, Deadline end, BooleanSupplier giveUp, Predicate<Drainable> step) {
        List<Drainable> left = new CopyOnWriteArrayList<>(asked);
        List<Thread> threads = new ArrayList<>();
        AtomicInteger running = new AtomicInteger(asked.size());
        for (Drainable member : asked) {
            threads.add(Thread.ofVirtual().name("shutdown/" + member.name()).start(() -> {
                try {
                    if (step.test(member)) {
                        left.remove(member);
                    }
                } catch (RuntimeException e) {
                    LOG.warn("{} did not end well: {}", member.name(), e.toString());
                } finally {
                    running.decrementAndGet();
                    changes.signalAll();
                }
            }));
        }
        changes.await("shutdown", end, () -> (running.get() == 0 || giveUp.getAsBoolean()) ? Boolean.TRUE : null);
        threads.forEach(Thread::interrupt);
        return List.copyOf(left);
    }

    private void finish(Report result) {
        String word = result.clean() ? "clean" : result.unfinished().isEmpty() ? "aborted" : "leaked";
        meter.counter("shutdown_drains_total", "result", word).increment();
        meter.timing("shutdown_duration_seconds", "", "").record(result.took().toNanos());
        LOG.info(
                "stopped, {}: {} ms, {} aborted, {} leaked, unfinished {}",
                word,
                result.took().toMillis(),
                result.aborted(),
                result.leaked(),
                result.unfinished());
        phase.set(Phase.STOPPED);
        report.set(Optional.of(result));
    }

    public Watch<Phase> phase() {
        return phase.watch();
    }

    public boolean running() {
        return phase.watch().value() == Phase.RUNNING;
    }

    /** When draining must be over; empty while running. */
    public Optional<Deadline> deadline() {
        return deadline;
    }

    /** Waits for the end of the process's work. */
    public Optional<Report> awaitStopped(Deadline limit) {
        return report.watch().awaitNewerThan(1, limit).flatMap(Watch.Versioned::value);
    }
}
