package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ron status}: how a running node is, part by part. */
@Command(name = "status", description = "Show how a running node is; exit code 1 when it is not ready.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    NodeTarget node;

    @Option(names = "--json", description = "print the status document as it is")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        JsonNode status = node.get("/api/v1/status");
        PrintWriter out = spec.commandLine().getOut();
        boolean ready = status.path("ready").asBoolean(false);
        if (json) {
            out.println(status);
        } else {
            print(out, status, ready);
        }
        return ready ? ExitCode.OK.code() : ExitCode.NO.code();
    }

    private static void print(PrintWriter out, JsonNode status, boolean ready) {
        out.println("ron " + status.path("version").asString("?") + ", "
                + status.path("profile").asString("?") + ", up "
                + status.path("uptime_seconds").asLong(0) + " s, "
                + status.path("phase").asString("?") + (ready ? ", ready" : ", NOT READY") + ", config version "
                + status.path("config").path("version").asLong(0));
        Table planes = new Table().row("PART", "HEALTH", "READY", "RESTARTS", "NOTES");
        status.path("planes")
                .forEach(p -> planes.row(
                        p.path("name").asString(""),
                        p.path("health").asString(""),
                        p.path("ready").asBoolean(false) ? "yes" : "no",
                        String.valueOf(p.path("restart_count").asLong(0)),
                        p.path("notes").asString("")));
        out.print(planes);
        Table queues = new Table().row("QUEUE", "DEPTH", "OF", "DROPPED");
        status.path("queues")
                .forEach(q -> queues.row(
                        q.path("name").asString(""),
                        String.valueOf(q.path("depth").asInt(0)),
                        String.valueOf(q.path("capacity").asInt(0)),
                        String.valueOf(q.path("dropped_total").asLong(0))));
        if (!status.path("queues").isEmpty()) {
            out.println();
            out.print(queues);
        }
        out.flush();
    }
}
