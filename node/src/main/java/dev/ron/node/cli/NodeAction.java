package dev.ron.node.cli;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.node.ExitCode;
import dev.ron.node.data.DataFolder;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** What an operator asks of a running node: {@code drain}, {@code resume} and {@code stop}. */
abstract sealed class NodeAction implements Runnable {
    @Mixin
    NodeTarget node;

    @Option(names = "--json", description = "print the answer as it is")
    boolean json;

    @Spec
    CommandSpec spec;

    private final String path;

    private NodeAction(String path) {
        this.path = path;
    }

    /** What the answer means to a person. */
    abstract String words(JsonNode answer);

    @Override
    public void run() {
        JsonNode answer = node.post(path);
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? answer.toString() : words(answer));
        out.flush();
        afterwards(answer);
    }

    /** What is left to do after the answer. */
    void afterwards(JsonNode answer) {}

    /** Turns a node unready while it goes on serving, so that a balancer sends nothing new. */
    @Command(name = "drain", description = "Turn a node unready; it goes on serving what still comes.")
    static final class Drain extends NodeAction {
        Drain() {
            super("/api/v1/drain");
        }

        @Override
        String words(JsonNode answer) {
            return "draining: /readyz says 503, requests are still served; ron resume takes it back, ron stop ends it";
        }
    }

    /** Takes a drain back. */
    @Command(name = "resume", description = "Take a drain back and let quarantined tasks run again.")
    static final class Resume extends NodeAction {
        Resume() {
            super("/api/v1/resume");
        }

        @Override
        String words(JsonNode answer) {
            return "resumed; tasks let out of quarantine: "
                    + answer.path("resumed_tasks").asInt(0);
        }
    }

    /** Has a node stop in order, and waits until it has. */
    @Command(
            name = "stop",
            description = {
                "Have a node finish what it has and stop; wait until it is gone.",
                "Exit code 1: it still answers after its drain deadline and ten seconds more."
            })
    static final class Stop extends NodeAction {
        private static final Duration MARGIN = Duration.ofSeconds(10);
        private static final long TICK_MILLIS = 200;

        private final Clock clock = Clock.system();
        private final CountDownLatch never = new CountDownLatch(1);

        Stop() {
            super("/api/v1/shutdown");
        }

        @Override
        String words(JsonNode answer) {
            return "stopping; what runs may take " + drainSeconds(answer) + " s more";
        }

        private static long drainSeconds(JsonNode answer) {
            return answer.path("drain_deadline_ms").asLong(0) / 1000;
        }

        @Override
        void afterwards(JsonNode answer) {
            OptionalLong holder = DataFolder.holder(node.data);
            Duration limit = Duration.ofSeconds(drainSeconds(answer)).plus(MARGIN);
            if (!comesTrue(() -> !answers(), limit)) {
                throw new dev.ron.node.Stop(
                        ExitCode.NO,
                        "the node still answers",
                        "it was asked to stop " + limit.toSeconds() + " s ago",
                        "its log tells what it waits for; a second SIGINT has it give that up");
            }
            // The ops plane is the last to end but for the lock, which the next command may want. A folder of another
            // node is held on and costs the margin, no more.
            if (holder.isPresent()) {
                comesTrue(() -> !DataFolder.holder(node.data).equals(holder), MARGIN);
            }
        }

        private boolean answers() {
            try {
                node.page("/healthz");
                return true;
            } catch (dev.ron.node.Stop | RonException _) {
                return false;
            }
        }

        private boolean comesTrue(BooleanSupplier condition, Duration limit) {
            Deadline deadline = Deadline.after(clock, limit);
            boolean is = condition.getAsBoolean();
            while (!is && !deadline.expired() && pause()) {
                is = condition.getAsBoolean();
            }
            return is;
        }

        private boolean pause() {
            try {
                return !never.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
