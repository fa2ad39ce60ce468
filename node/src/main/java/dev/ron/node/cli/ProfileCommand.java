package dev.ron.node.cli;

import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.service.config.Durations;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ron profile 30s}: has a running node record where its time goes. */
@Command(name = "profile", description = "Record with the flight recorder what a running node does.")
final class ProfileCommand implements Runnable {
    private static final Duration GRACE = Duration.ofSeconds(30);

    @Mixin
    NodeTarget node;

    @Parameters(paramLabel = "DURATION", defaultValue = "30s", description = "how long (default: 30s)")
    String duration = "30s";

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        Duration length = length();
        JsonNode begun = node.post("/api/v1/profile", "{\"seconds\":" + length.toSeconds() + "}");
        spec.commandLine().getErr().println("recording for " + length.toSeconds() + " s ...");
        Deadline limit = Deadline.after(Clock.system(), length.plus(GRACE));
        JsonNode state = begun;
        while (!state.path("done").asBoolean(false)) {
            if (limit.expired()) {
                throw new Stop(
                        ExitCode.NO,
                        "the recording did not end",
                        "the node still says that it is recording",
                        "look at its log; the file will be "
                                + begun.path("file").asString());
            }
            Clock.system()
                    .park(
                            this,
                            Deadline.after(Clock.system(), Duration.ofSeconds(1))
                                    .atNanos());
            state = node.get("/api/v1/profile");
        }
        String file = state.path("file").asString();
        spec.commandLine().getOut().println(file);
        spec.commandLine().getErr().println("look at it with: jfr summary " + file + ", or JDK Mission Control");
    }

    private Duration length() {
        try {
            return Durations.parse(duration);
        } catch (IllegalArgumentException e) {
            throw new Stop(
                    ExitCode.USAGE, duration + " is no duration", String.valueOf(e.getMessage()), "write 30s or 2m");
        }
    }
}
