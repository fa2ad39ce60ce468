package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ron reload}: has a running node read its configuration again, whole or not at all. */
@Command(name = "reload", description = "Have a running node read its configuration again.")
final class ReloadCommand implements Callable<Integer> {
    private static final Set<String> GOOD = Set.of("applied", "noop");

    @Mixin
    NodeTarget node;

    @Option(names = "--json", description = "print the answer as it is")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        JsonNode answer = node.post("/api/v1/reload");
        PrintWriter out = spec.commandLine().getOut();
        String outcome = answer.path("outcome").asString("running");
        if (json) {
            out.println(answer);
        } else {
            out.println(outcome + ", config version "
                    + answer.path("config_version").asLong(0));
            answer.path("message").asString("").lines().forEach(line -> out.println("  " + line));
        }
        return GOOD.contains(outcome) ? ExitCode.OK.code() : ExitCode.NO.code();
    }
}
