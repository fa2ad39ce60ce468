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
import tools.jackson.databind.json.JsonMapper;

/** {@code ron keys}: the signing keys of a running node. */
@Command(
        name = "keys",
        description = "List and rotate the signing keys of a running node.",
        subcommands = {KeysCommand.ListKeys.class, KeysCommand.Rotate.class})
final class KeysCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code ron keys list}. */
    @Command(name = "list", description = "Show every key and where it is in its life.")
    static final class ListKeys implements Callable<Integer> {
        @Mixin
        NodeTarget node;

        @Option(names = "--json", description = "print the answer as it is")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            JsonNode answer = node.get("/api/v1/passport/keys");
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(answer);
                return ExitCode.OK.code();
            }
            Table table = new Table().row("KID", "PURPOSE", "STATE", "SIGNS FROM", "UNTIL");
            answer.path("keys")
                    .forEach(key -> table.row(
                            key.path("kid").asString(""),
                            key.path("purpose").asString(""),
                            key.path("state").asString(""),
                            key.path("active_from").asString(""),
                            key.path("until").asString("")));
            out.print(table);
            out.flush();
            return ExitCode.OK.code();
        }
    }

    /** {@code ron keys rotate}. */
    @Command(name = "rotate", description = "Publish the next key; it signs once every verifier has heard of it.")
    static final class Rotate implements Callable<Integer> {
        @Mixin
        NodeTarget node;

        @Option(names = "--now", description = "emergency: revoke the old key and every token it signed, at once")
        boolean now;

        @Option(names = "--purpose", description = "pct, pct-pq, jwt, jwt-es256 or feed (default: ${DEFAULT-VALUE})")
        String purpose = "pct";

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            String body = JsonMapper.shared()
                    .createObjectNode()
                    .put("purpose", purpose)
                    .put("now", now)
                    .toString();
            JsonNode answer = node.post("/api/v1/passport/keys/rotate", body);
            spec.commandLine()
                    .getOut()
                    .println((now ? "now signing with " : "announced ")
                            + answer.path("kids").path(0).asString("") + ", epoch "
                            + answer.path("current_epoch").asLong(0));
            return ExitCode.OK.code();
        }
    }
}
