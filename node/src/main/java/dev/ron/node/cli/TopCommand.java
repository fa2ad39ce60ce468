package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ron top}: who uses which upstream, live on a terminal, line by line elsewhere. */
@Command(name = "top", description = "Watch how the gateway's tenants share its upstreams.")
final class TopCommand implements Callable<Integer> {
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    NodeTarget node;

    @Option(names = "--every", paramLabel = "MS", description = "time between two looks (default: 1000)")
    int everyMillis = 1000;

    @Option(names = "--count", paramLabel = "N", description = "stop after so many looks (default: never)")
    int count = Integer.MAX_VALUE;

    @Option(names = "--json", description = "print each look as it is")
    boolean json;

    @Spec
    CommandSpec spec;

    private final Map<String, Long> usedBefore = new HashMap<>();
    private final Map<String, Long> servedBefore = new HashMap<>();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        // Only the shell knows whether standard output is a terminal; the launcher passes it on.
        boolean live = Boolean.getBoolean("ron.screen");
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; look < count; look++) {
            JsonNode tenants = node.get("/admin/tenants");
            if (json) {
                out.println(tenants);
            } else {
                out.print((live ? HOME_AND_CLEAR : "") + table(tenants.path("tenants")));
            }
            out.flush();
            if (look + 1 < count && never.await(everyMillis, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        return ExitCode.OK.code();
    }

    private String table(JsonNode tenants) {
        Map<String, Long> usedByUpstream = new HashMap<>();
        tenants.forEach(
                t -> usedByUpstream.merge(t.path("upstream").asString(""), since(usedBefore, t, "used_us"), Long::sum));
        Table table = new Table()
                .row(
                        "UPSTREAM",
                        "TENANT",
                        "QUANTUM",
                        "SHARE",
                        "HELD",
                        "WAITING",
                        "USED",
                        "SERVED/S",
                        "P99 WAIT",
                        "REFUSED");
        tenants.forEach(t -> {
            long used = since(usedBefore, t, "used_us");
            long all =
                    Math.max(1, usedByUpstream.getOrDefault(t.path("upstream").asString(""), 1L));
            table.row(
                    t.path("upstream").asString(""),
                    t.path("id").asString(""),
                    String.valueOf(t.path("quantum").asInt(0)),
                    String.format(
                            Locale.ROOT,
                            "%.1f/%d",
                            t.path("share").asDouble(0),
                            t.path("limit").asInt(0)),
                    String.valueOf(t.path("held").asInt(0)),
                    String.valueOf(t.path("waiting").asInt(0)),
                    String.format(Locale.ROOT, "%.0f %%", 100.0 * used / all),
                    String.valueOf(since(servedBefore, t, "served_total") * 1000 / Math.max(1, everyMillis)),
                    String.format(Locale.ROOT, "%.1f ms", t.path("wait_p99_us").asLong(0) / 1e3),
                    String.valueOf(t.path("refused_total").asLong(0)));
        });
        tenants.forEach(t -> {
            usedBefore.put(name(t), t.path("used_us").asLong(0));
            servedBefore.put(name(t), t.path("served_total").asLong(0));
        });
        return table.toString();
    }

    private static long since(Map<String, Long> before, JsonNode tenant, String field) {
        long now = tenant.path(field).asLong(0);
        return Math.max(0, now - before.getOrDefault(name(tenant), now));
    }

    private static String name(JsonNode tenant) {
        return tenant.path("upstream").asString("")
                + '/'
                + tenant.path("issuer").asString("")
                + '/'
                + tenant.path("id").asString("");
    }
}
