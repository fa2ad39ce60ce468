package dev.ron.node.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One look of {@code ron top} after another as text; rates are what happened between two of them. */
final class TopScreen {
    private static final int SHOWN_TENANTS = 24;

    private final Style style;
    private final boolean bars;
    private @Nullable Look before;
    private final Map<String, JsonNode> tenantsBefore = new HashMap<>();

    /** @param bars draws bars and keeps to about a screen, for a terminal */
    TopScreen(Style style, boolean bars) {
        this.style = style;
        this.bars = bars;
    }

    /** The next look, as lines. */
    List<String> next(Look now) {
        List<String> lines = new ArrayList<>();
        lines.add(head(now.status()));
        now.tenants().ifPresent(tenants -> tenants(lines, tenants, now));
        queues(lines, now.status().path("queues"));
        Table rest = new Table();
        now.cache().ifPresent(cache -> rest.row("edge", edge(cache, now)));
        now.registry().ifPresent(log -> rest.row("registry", registry(log, now)));
        if (!rest.isEmpty()) {
            lines.add("");
            rest.toString().lines().forEach(lines::add);
        }
        before = now;
        tenantsBefore.clear();
        now.tenants().ifPresent(all -> all.forEach(t -> tenantsBefore.put(name(t), t)));
        return lines;
    }

    private String head(JsonNode status) {
        boolean ready = status.path("ready").asBoolean(false);
        return style.strong("ron " + status.path("version").asString("?")) + "  up "
                + Uptime.words(status.path("uptime_seconds").asLong(0)) + "  "
                + status.path("phase").asString("?") + "  " + (ready ? style.good("ready") : style.bad("NOT READY"));
    }

    private void tenants(List<String> lines, JsonNode tenants, Look now) {
        lines.add("");
        if (tenants.isEmpty()) {
            lines.add("gateway  no tenant has asked for anything yet");
            return;
        }
        Map<String, Long> usedByUpstream = new HashMap<>();
        tenants.forEach(t -> usedByUpstream.merge(text(t, "upstream"), since(t, "used_us"), Long::sum));
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
        Stream<JsonNode> shown = tenants.valueStream();
        (bars ? shown.limit(SHOWN_TENANTS) : shown).forEach(t -> {
            long all = Math.max(1, usedByUpstream.getOrDefault(text(t, "upstream"), 1L));
            table.row(
                    text(t, "upstream"),
                    text(t, "id"),
                    String.valueOf(t.path("quantum").asInt(0)),
                    String.format(
                            Locale.ROOT,
                            "%.1f/%d",
                            t.path("share").asDouble(0),
                            t.path("limit").asInt(0)),
                    String.valueOf(t.path("held").asInt(0)),
                    String.valueOf(t.path("waiting").asInt(0)),
                    String.format(Locale.ROOT, "%.0f %%", 100.0 * since(t, "used_us") / all),
                    perSecond(since(t, "served_total"), now),
                    String.format(Locale.ROOT, "%.1f ms", t.path("wait_p99_us").asLong(0) / 1e3),
                    String.valueOf(t.path("refused_total").asLong(0)));
        });
        add(lines, table);
        if (bars && tenants.size() > SHOWN_TENANTS) {
            lines.add(style.faint("and " + (tenants.size() - SHOWN_TENANTS) + " more that use less"));
        }
    }

    /** What a tenant's counter grew by since the look before. */
    private long since(JsonNode tenant, String field) {
        long now = tenant.path(field).asLong(0);
        JsonNode then = tenantsBefore.get(name(tenant));
        return then == null ? 0 : Math.max(0, now - then.path(field).asLong(0));
    }

    private static String name(JsonNode tenant) {
        return text(tenant, "upstream") + '/' + text(tenant, "issuer") + '/' + text(tenant, "id");
    }

    /** Empty ones are only counted: a queue that holds something is news. */
    private void queues(List<String> lines, JsonNode queues) {
        Table table = new Table().row("QUEUE", "DEPTH", "OF", "DROPPED");
        int busy = 0;
        long dropped = 0;
        for (JsonNode queue : queues) {
            int depth = queue.path("depth").asInt(0);
            int capacity = queue.path("capacity").asInt(0);
            dropped += queue.path("dropped_total").asLong(0);
            if (depth > 0) {
                busy++;
                double fill = depth / Math.max(1.0, capacity);
                table.row(
                        text(queue, "name"),
                        String.valueOf(depth),
                        String.valueOf(capacity),
                        String.valueOf(queue.path("dropped_total").asLong(0)),
                        bars ? tone(fill, Style.bar(fill)) : "");
            }
        }
        lines.add("");
        if (busy > 0) {
            add(lines, table);
        }
        lines.add(style.faint((queues.size() - busy) + (busy > 0 ? " more" : "") + " queues are empty"
                + (dropped > 0 ? "; dropped since the start: " + dropped : "")));
    }

    private String tone(double fill, String text) {
        return fill < 0.5 ? style.good(text) : fill < 0.9 ? style.watchful(text) : style.bad(text);
    }

    private String edge(Look.Cache cache, Look now) {
        if (cache.answers() == 0) {
            return "hit ratio -, nothing was asked for yet";
        }
        Optional<Look.Cache> since = Optional.ofNullable(before)
                .flatMap(Look::cache)
                .map(cache::since)
                .filter(some -> some.answers() > 0);
        Look.Cache lately = since.orElse(cache);
        return (bars ? style.good(Style.bar(lately.ratio())) + " " : "")
                + String.format(Locale.ROOT, "hit ratio %.1f %%", 100 * lately.ratio())
                + ", " + perSecond(since.map(Look.Cache::answers).orElse(0L), now) + " answers/s"
                + String.format(Locale.ROOT, "; since the start %,d hits, %,d misses", cache.hits(), cache.misses());
    }

    private String registry(JsonNode log, Look now) {
        long version = log.path("version").asLong(0);
        long then = Optional.ofNullable(before)
                .flatMap(Look::registry)
                .map(earlier -> earlier.path("version").asLong(version))
                .orElse(version);
        long waiting = log.path("pending_proposals").asLong(0);
        return "version " + version + ", " + perSecond(version - then, now) + " commits/s"
                + (waiting == 0 ? "" : waiting == 1 ? ", 1 proposal waits" : ", " + waiting + " proposals wait")
                + (log.path("frozen").asBoolean(false) ? ", " + style.bad("FROZEN") : "");
    }

    private String perSecond(long count, Look now) {
        Look earlier = before;
        double seconds = earlier == null ? 0 : (now.atNanos() - earlier.atNanos()) / 1e9;
        return String.format(Locale.ROOT, "%.1f", seconds <= 0 ? 0 : Math.max(0, count) / seconds);
    }

    private void add(List<String> lines, Table table) {
        List<String> rows = table.toString().lines().toList();
        lines.add(style.faint(rows.getFirst()));
        lines.addAll(rows.subList(1, rows.size()));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
