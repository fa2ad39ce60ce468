package dev.ron.node.cli;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.Phase;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.node.Node;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;

/** Waits for the end of a node and, on a terminal, counts down while it drains. */
final class DrainWatch {
    private static final Duration TICK = Duration.ofMillis(200);

    private final Node node;
    private final PrintWriter err;
    private final boolean terminal;
    private final Runnable onDrain;

    DrainWatch(Node node, PrintWriter err, boolean terminal, Runnable onDrain) {
        this.node = node;
        this.err = err;
        this.terminal = terminal;
        this.onDrain = onDrain;
    }

    Shutdown.Report await() {
        Shutdown shutdown = node.shutdown();
        Clock clock = Clock.system();
        Watch.Versioned<Phase> phase = shutdown.phase().current();
        while (phase.value() == Phase.RUNNING) {
            phase = shutdown.phase()
                    .awaitNewerThan(phase.version(), Deadline.never(clock))
                    .orElse(phase);
        }
        onDrain.run();
        Optional<Shutdown.Report> report = shutdown.awaitStopped(Deadline.after(clock, TICK));
        while (report.isEmpty()) {
            countDown(shutdown);
            report = shutdown.awaitStopped(Deadline.after(clock, TICK));
        }
        say(report.get());
        return report.get();
    }

    private void countDown(Shutdown shutdown) {
        if (terminal) {
            long left = shutdown.deadline().map(d -> d.remaining().toSeconds()).orElse(0L);
            err.printf("\rdraining: %d in flight, at most %d s more ", node.inflight(), left);
            err.flush();
        }
    }

    private void say(Shutdown.Report report) {
        if (terminal) {
            err.print("\r");
        }
        if (report.clean()) {
            err.println("stopped after " + report.took().toMillis() + " ms; nothing was abandoned");
        } else {
            err.println("stopped after " + report.took().toMillis() + " ms; abandoned: " + report.aborted()
                    + " in flight" + (report.unfinished().isEmpty() ? "" : ", unfinished " + report.unfinished()));
        }
        err.flush();
    }
}
