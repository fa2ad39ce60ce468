package dev.ron.node.cli;

import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** An operator stops every change to the registry, and lets changes happen again. */
abstract sealed class RegistryFreeze implements Runnable {
    @Mixin
    NodeTarget node;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "why, for the audit trail")
    String reason = "";

    @Spec
    CommandSpec spec;

    private final String words;

    private RegistryFreeze(String words) {
        this.words = words;
    }

    @Override
    public void run() {
        String action = spec.name().toLowerCase(Locale.ROOT);
        String body =
                JsonMapper.shared().createObjectNode().put("reason", reason).toString();
        String state =
                node.post("/api/v1/registry/" + action, body).path("state").asString("");
        spec.commandLine().getOut().println(state + words);
        spec.commandLine().getOut().flush();
    }

    /** {@code ron registry freeze}. */
    @Command(name = "freeze", description = "Stop every change until the registry is thawed; reads go on.")
    static final class Freeze extends RegistryFreeze {
        Freeze() {
            super(": proposals, approvals and commits are refused; ron registry thaw takes it back");
        }
    }

    /** {@code ron registry thaw}. */
    @Command(
            name = "thaw",
            description = "Let changes happen again and have the whole log verified anew; damage freezes it again.")
    static final class Thaw extends RegistryFreeze {
        Thaw() {
            super(": the log is being verified again from its beginning");
        }
    }
}
