package dev.ron.kernel.task;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way a process stops: Running, Draining, perhaps Aborting, Stopped.
 *
 * <p>Stages run in order and their members side by side under one deadline. The first request starts it; later ones are
 * counted and change nothing, except {@link #abortNow}, which ends the wait.
 */
public final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration ABORT_GRACE = Duration.ofSeconds(1);
    private static final Duration ABORT_REPEAT = Duration.ofMillis(100);

    private final Clock clock;
    private final Meter meter;
    private final Supplier<Duration> drainLimit;
    private final List<Drainable> members = new CopyOnWriteArrayList<>();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final Watch.Writer<Phase> phase = Watch.of(Phase.RUNNING);
    private final Watch.Writer<Optional<Report>> report = Watch.of(Optional.empty());
    private volatile boolean abortAsked;
    private volatile Optional<Deadline> deadline = Optional.empty();

    /** How a shutdown went. */
    public record Report(String source, Duration took, int aborted, List<String> unfinished) {
        public boolean clean() {
            return aborted == 0 && unfinished.isEmpty();
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
        deadline = Optional.of(Deadline.after(clock, drainLimit.get()));
        phase.set(Phase.DRAINING);
        Thread.ofPlatform().name("shutdown").start(() -> run(source));
        return true;
    }

    /** Gives up waiting for what still runs. */
    public void abortNow(String source) {
        abortAsked = true;
        request(source, "abort");
        deadline = Optional.of(Deadline.after(clock, Duration.ZERO));
    }

    private void run(String source) {
        long start = clock.nanos();
        List<String> unfinished = new ArrayList<>();
        int aborted = 0;
        try {
            for (Stage stage : Stage.values()) {
                List<Drainable> stageMembers = members.stream()
                        .filter(member -> member.stage() == stage)
                        .toList();
                List<Drainable> stuck = drain(stageMembers);
                if (!stuck.isEmpty()) {
                    aborted += abort(stuck, unfinished);
                }
            }
        } finally {
            finish(new Report(source, Duration.ofNanos(clock.nanos() - start), aborted, List.copyOf(unfinished)));
        }
    }

    private List<Drainable> drain(List<Drainable> stageMembers) {
        List<Drainable> stuck = new CopyOnWriteArrayList<>(stageMembers);
        List<Thread> threads = new ArrayList<>();
        for (Drainable member : stageMembers) {
            threads.add(Thread.ofVirtual().name("drain/" + member.name()).start(() -> {
                if (member.drain(deadline.orElseThrow())) {
                    stuck.remove(member);
                }
            }));
        }
        // Drainables honour the deadline themselves; an abort request or a member that does not ends the wait here.
        Deadline limit = deadline.orElseThrow();
        while (threads.stream().anyMatch(Thread::isAlive) && !limit.expired() && !abortAsked) {
            pause(Duration.ofMillis(2));
        }
        threads.forEach(Thread::interrupt);
        return stuck;
    }

    private int abort(List<Drainable> stuck, List<String> unfinished) {
        phase.set(Phase.ABORTING);
        int aborted = 0;
        List<Drainable> left = new ArrayList<>(stuck);
        Deadline grace = Deadline.after(clock, ABORT_GRACE);
        boolean first = true;
        while (!left.isEmpty()) {
            for (Drainable member : left) {
                int given = member.abort();
                aborted += first ? given : 0;
            }
            first = false;
            left.removeIf(
                    member -> member.drain(Deadline.after(clock, ABORT_REPEAT).min(grace)));
            if (grace.expired()) {
                break;
            }
        }
        left.forEach(member -> unfinished.add(member.name()));
        return aborted;
    }

    private void pause(Duration duration) {
        clock.park(this, clock.nanos() + duration.toNanos());
    }

    private void finish(Report result) {
        String word = result.clean() ? "clean" : result.unfinished().isEmpty() ? "aborted" : "leaked";
        meter.counter("shutdown_drains_total", "result", word).increment();
        meter.timing("shutdown_duration_seconds", "", "").record(result.took().toNanos());
        LOG.info(
                "stopped, {}: {} ms, {} aborted, unfinished {}",
                word,
                result.took().toMillis(),
                result.aborted(),
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
