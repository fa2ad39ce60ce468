package dev.ron.node.cli;

import java.io.PrintWriter;
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
    }

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

    /** Has a node stop in order. */
    @Command(name = "stop", description = "Have a node finish what it has and stop.")
    static final class Stop extends NodeAction {
        Stop() {
            super("/api/v1/shutdown");
        }

        @Override
        String words(JsonNode answer) {
            return "stopping; what runs may take "
                    + answer.path("drain_deadline_ms").asLong(0) / 1000 + " s more";
        }
    }
}
