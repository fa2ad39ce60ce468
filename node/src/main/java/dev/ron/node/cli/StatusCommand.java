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
                + Uptime.words(status.path("uptime_seconds").asLong(0)) + ", "
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
        queues(out, status.path("queues"));
        Table places = new Table().row("LISTENER", "URL");
        status.path("listeners")
                .properties()
                .forEach(place -> places.row(place.getKey(), place.getValue().asString("")));
        out.println();
        out.print(places);
        out.flush();
    }

    /** Those with news; the rest is in the document. */
    private static void queues(PrintWriter out, JsonNode all) {
        Table table = new Table().row("QUEUE", "DEPTH", "OF", "DROPPED");
        int quiet = 0;
        for (JsonNode queue : all) {
            if (queue.path("depth").asInt(0) == 0 && queue.path("dropped_total").asLong(0) == 0) {
                quiet++;
            } else {
                table.row(
                        queue.path("name").asString(""),
                        String.valueOf(queue.path("depth").asInt(0)),
                        String.valueOf(queue.path("capacity").asInt(0)),
                        String.valueOf(queue.path("dropped_total").asLong(0)));
            }
        }
        out.println();
        if (quiet < all.size()) {
            out.print(table);
        }
        out.println(quiet + " queues are empty and have dropped nothing");
    }
}
