package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ron why}: explains a refusal of the gateway from its correlation id. */
@Command(name = "why", description = "Explain why the gateway refused a request; exit code 1 when it is not known.")
final class WhyCommand implements Callable<Integer> {
    @Mixin
    NodeTarget node;

    @Parameters(paramLabel = "CORR-ID", description = "the X-Corr-ID of the answer")
    String corrId;

    @Option(names = "--json", description = "print what is known as it is")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        JsonNode found = node.get("/admin/refusals/" + NodeTarget.quoted(corrId))
                .path("refusals")
                .path(0);
        PrintWriter out = spec.commandLine().getOut();
        if (found.isMissingNode()) {
            out.println(
                    json
                            ? JsonMapper.shared()
                                    .createObjectNode()
                                    .put("corr_id", corrId)
                                    .put("known", false)
                                    .toString()
                            : "the gateway does not remember " + corrId + "; it keeps its latest 4096 refusals");
            return ExitCode.NO.code();
        }
        if (json) {
            out.println(found);
        } else {
            print(out, found);
        }
        return ExitCode.OK.code();
    }

    private static void print(PrintWriter out, JsonNode told) {
        out.println(told.path("status").asInt(0) + " " + text(told, "reason") + ": " + text(told, "detail"));
        String tenant = text(told, "tenant");
        out.println("  when      " + text(told, "at"));
        out.println("  route     " + text(told, "route") + " -> upstream " + text(told, "upstream"));
        out.println("  tenant    " + (tenant.isEmpty() ? "not known yet: refused at the door" : tenant)
                + (text(told, "issuer").isEmpty() ? "" : " of " + text(told, "issuer")));
        out.printf("  waited    %.1f ms for its turn%n", told.path("waited_us").asLong(0) / 1e3);
        out.println("  upstream  " + told.path("inflight").asInt(0) + " of "
                + told.path("limit").asInt(0) + " places taken, "
                + told.path("waiting").asInt(0) + " waiting");
        if (!text(told, "key").isEmpty()) {
            out.println("  the bound is " + text(told, "key"));
        }
    }

    private static String text(JsonNode told, String name) {
        return told.path(name).asString("");
    }
}
