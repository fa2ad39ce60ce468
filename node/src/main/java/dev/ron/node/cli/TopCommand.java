package dev.ron.node.cli;

import dev.ron.kernel.time.Clock;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron top}: what a node is busy with, live on a terminal, line by line elsewhere. */
@Command(
        name = "top",
        description = "Watch a running node: tenants, queues that hold something, the edge's hit ratio, commits.")
final class TopCommand implements Callable<Integer> {
    private static final int LEAST_MILLIS = 10;
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    @Mixin
    NodeTarget node;

    @Option(names = "--every", paramLabel = "MS", description = "time between two looks, at least 10 (default: 1000)")
    int everyMillis = 1000;

    @Option(names = "--count", paramLabel = "N", description = "stop after so many looks (default: never)")
    int count = Integer.MAX_VALUE;

    @Option(names = "--json", description = "print each look as a line of JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (everyMillis < LEAST_MILLIS) {
            throw new Stop(
                    ExitCode.USAGE,
                    "--every: " + everyMillis,
                    "a node that is asked without a pause does nothing else (expected: " + LEAST_MILLIS + " or more)",
                    "give milliseconds, such as --every 1000");
        }
        PrintWriter out = spec.commandLine().getOut();
        // Only the shell knows whether standard output is a terminal; the launcher passes it on.
        boolean live = Boolean.getBoolean("ron.screen");
        TopScreen screen = new TopScreen(live ? Style.forScreen() : Style.PLAIN, live);
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; look < count; look++) {
            Look now = Look.at(node, Clock.system().nanos());
            if (json) {
                out.println(now.document());
            } else {
                show(out, screen.next(now), live, look == 0);
            }
            if (out.checkError()) {
                break; // nobody reads any more
            }
            if (look + 1 < count && never.await(everyMillis, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        return ExitCode.OK.code();
    }

    /** Line over line rather than cleared first, so that nothing flickers. */
    private static void show(PrintWriter out, List<String> lines, boolean live, boolean first) {
        if (live) {
            out.print(HOME + (first ? CLEAR_BELOW : ""));
            lines.forEach(line -> out.println(line + CLEAR_TO_END_OF_LINE));
            out.print(CLEAR_BELOW);
        } else {
            out.print(first ? "" : System.lineSeparator());
            lines.forEach(out::println);
        }
    }
}
