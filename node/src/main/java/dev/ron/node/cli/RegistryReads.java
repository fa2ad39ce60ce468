package dev.ron.node.cli;

import dev.ron.http.client.ClientRequest;
import dev.ron.node.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The reading half of {@code ron registry}. */
final class RegistryReads {
    private RegistryReads() {}

    /** {@code ron registry log}. */
    @Command(name = "log", description = "Show the versions of the log and the proposals that wait.")
    static final class Log implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Option(
                names = "--limit",
                paramLabel = "N",
                description = "newest versions to show (default: ${DEFAULT-VALUE})")
        int limit = 20;

        @Option(names = "--json", description = "print the answers as they are")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            JsonNode head = registry.get("/registry/head");
            long from = Math.max(1, head.path("version").asLong(1) - Math.max(1, limit) + 1);
            JsonNode entries = registry.get("/registry/log?from=" + from + "&limit=" + Math.clamp(limit, 1, 1000));
            List<JsonNode> proposals = registry.items("/registry/proposals");
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                ObjectNode all = JsonMapper.shared().createObjectNode();
                all.set("head", head);
                all.set("entries", entries.path("entries"));
                all.putArray("proposals").addAll(proposals);
                out.println(all);
                return ExitCode.OK.code();
            }
            out.println("log " + head.path("origin").asString("") + ", version "
                    + head.path("version").asLong(0) + (head.path("frozen").asBoolean(false) ? ", FROZEN" : ""));
            Table table = new Table().row("VERSION", "KIND", "COMMITTED", "APPROVALS", "PROPOSAL");
            entries.path("entries")
                    .forEach(entry -> table.row(
                            entry.path("version").asString(""),
                            entry.path("kind").asString(""),
                            java.time.Instant.ofEpochMilli(
                                            entry.path("committed_at_ms").asLong(0))
                                    .toString(),
                            entry.path("approvals_n").asString(""),
                            entry.path("proposal_id").asString("")));
            out.print(table);
            if (proposals.isEmpty()) {
                out.println("no proposal waits");
            } else {
                Table waiting = new Table().row("PROPOSAL", "STATE", "VOTES", "BY", "EXPIRES", "NOTE");
                proposals.forEach(item -> waiting.row(
                        item.path("proposal_id").asString(""),
                        item.path("state").asString(""),
                        item.path("quorum").path("have").asString("0") + " of "
                                + item.path("quorum").path("m").asString("?"),
                        item.path("proposer").asString(""),
                        item.path("expires_at").asString(""),
                        item.path("note").asString("")));
                out.println();
                out.print(waiting);
            }
            out.flush();
            return ExitCode.OK.code();
        }
    }

    /** {@code ron registry show}. */
    @Command(
            name = "show",
            description = "Show a descriptor, a version or a proposal; without a name, all descriptors.")
    static final class Show implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Parameters(arity = "0..1", paramLabel = "WHAT", description = "an id, a version or p_...")
        String what = "";

        @Option(names = "--json", description = "print the answer as it is")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            if (what.isEmpty() && !json) {
                Table table = new Table().row("ID", "KIND", "REV", "STATE");
                registry.items("/registry/descriptors")
                        .forEach(item -> table.row(
                                item.path("id").asString(""),
                                item.path("kind").asString(""),
                                item.path("rev").asString(""),
                                item.path("state").asString("")));
                out.print(table);
            } else {
                JsonNode answer = what.isEmpty() ? everything() : registry.get(path());
                out.println(json ? answer.toString() : answer.toPrettyString());
            }
            out.flush();
            return ExitCode.OK.code();
        }

        private JsonNode everything() {
            ObjectNode all = JsonMapper.shared().createObjectNode();
            all.set("version", registry.get("/registry/head").path("version"));
            all.putArray("items").addAll(registry.items("/registry/descriptors"));
            return all;
        }

        private String path() {
            if (what.startsWith("p_")) {
                return "/registry/proposals/" + NodeTarget.quoted(what);
            }
            return (what.matches("[0-9]+") ? "/registry/" : "/registry/descriptors/") + NodeTarget.quoted(what);
        }
    }

    /** {@code ron registry bundle}. */
    @Command(name = "bundle", description = "Print the file that proves a version offline.")
    static final class GetBundle implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Parameters(paramLabel = "VERSION", description = "a version, or head")
        String version;

        @Option(
                names = "--id",
                paramLabel = "ID",
                description = "with head: also prove this descriptor's current value")
        java.util.List<String> ids = new java.util.ArrayList<>();

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            String query = ids.isEmpty() ? "" : "?id=" + NodeTarget.quoted(String.join("&id=", ids));
            PrintWriter out = spec.commandLine().getOut();
            String path = "/registry/bundle/" + NodeTarget.quoted(version) + query;
            out.print(registry.node.text(ClientRequest.get(registry.base() + path)));
            out.flush();
            return ExitCode.OK.code();
        }
    }
}
