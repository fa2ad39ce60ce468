package dev.ron.admin;

import dev.ron.admin.auth.Authenticator;
import dev.ron.admin.auth.KeyRefresher;
import dev.ron.admin.live.Streams;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.view.ConsoleView;
import dev.ron.admin.view.NodeDetail;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.health.ReadyView;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.metrics.ServiceMetrics;
import dev.ron.service.status.Health;
import dev.ron.service.status.Plane;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the console itself is: its readiness, its gauges, and its page about itself. Nodes that are down are not its fault. */
final class ConsoleHealth {
    private static final double ENOUGH = 0.9;

    private final ServiceContext context;
    private final Fleet fleet;
    private final Rows rows;
    private final Streams streams;
    private final Optional<KeyRefresher> keys;
    private final Authenticator authenticator;
    private final String version;
    private final Instant startedAt;

    ConsoleHealth(
            ServiceContext context,
            Fleet fleet,
            Rows rows,
            Streams streams,
            Optional<KeyRefresher> keys,
            Authenticator authenticator,
            String version) {
        this.context = context;
        this.fleet = fleet;
        this.rows = rows;
        this.streams = streams;
        this.keys = keys;
        this.authenticator = authenticator;
        this.version = version;
        this.startedAt = context.clock().now();
    }

    void bind() {
        context.readiness().requireLive(this::states);
        ServiceMetrics metrics = context.metrics();
        metrics.gauges("nodes", "Nodes that are watched.", "environment", this::byEnvironment);
        metrics.gauge("sse_streams", "Open streams of events.", streams::open);
        metrics.gauge("metrics_ring_bytes", "Memory of all rings.", this::ringBytes);
        metrics.gauge(
                "metrics_window_seconds",
                "How far back the rings go.",
                () -> config().polling().metricsWindow().toSeconds());
        metrics.gauge(
                "config_version",
                "The configuration in force.",
                () -> context.configs().value().version());
        metrics.gauges("auth_mode", "1 for the mode in force.", "mode", () -> Map.of(authenticator.mode(), 1));
        keys.ifPresent(known -> {
            metrics.gauge("jwks_age_seconds", "Since the issuer's keys were confirmed.", known::ageSeconds);
            metrics.gauge(
                    "jwks_keys", "Known keys of the issuer.", () -> known.keys().size());
        });
        metrics.gauges("node_up", "1 where the node answers.", "node_id", () -> perNode(this::up));
        metrics.gauges("node_ready", "1 where the node is ready.", "node_id", () -> perNode(this::ready));
        metrics.gauges(
                "metrics_staleness_seconds", "Age of the last good scrape.", "node_id", () -> perNode(this::staleness));
        metrics.gauges(
                "metrics_series",
                "Kept series of a node.",
                "node_id",
                () -> perNode(node -> (double) node.measured().glance().tracked()));
        metrics.counts("metrics_series_dropped_total", "Series that found no room.", List.of("node_id"), () -> {
            Map<List<String>, Double> dropped = new HashMap<>();
            perNode(node -> (double) node.measured().glance().dropped())
                    .forEach((id, n) -> dropped.put(List.of(id), n));
            return dropped;
        });
        context.stopWithProcess(new DrainCount(metrics));
    }

    private AdminConfig config() {
        return context.config(AdminConfig.class);
    }

    /** A gauge of a node; NaN has no series. */
    private interface Gauge {
        double of(NodeRuntime node);
    }

    private Map<String, Double> perNode(Gauge gauge) {
        Map<String, Double> all = new HashMap<>();
        for (NodeRuntime node : fleet.all()) {
            double value = gauge.of(node);
            if (!Double.isNaN(value)) {
                all.put(node.id(), value);
            }
        }
        return all;
    }

    private double up(NodeRuntime node) {
        return node.observed().round() == null
                ? Double.NaN
                : node.observed().round().anyReached() ? 1 : 0;
    }

    private double ready(NodeRuntime node) {
        Boolean ready = rows.row(node).ready();
        return ready == null ? Double.NaN : ready ? 1 : 0;
    }

    private double staleness(NodeRuntime node) {
        return node.measured().at() == null
                ? Double.NaN
                : (context.clock().nanos() - node.measured().atNanos()) / 1e9;
    }

    private Map<String, Integer> byEnvironment() {
        Map<String, Integer> counts = new HashMap<>();
        fleet.all().forEach(node -> counts.merge(node.target().environmentWord(), 1, Integer::sum));
        return counts;
    }

    private long ringBytes() {
        return fleet.all().stream()
                .mapToLong(node -> node.measured().glance().bytes())
                .sum();
    }

    private List<KeyState> states() {
        String trouble = authenticator.trouble();
        boolean enough = fleet.alive() >= ENOUGH * fleet.size();
        return List.of(
                new KeyState("node_registry_loaded", Need.READ, true, ""),
                new KeyState("auth_ready", Need.READ, trouble.isEmpty(), trouble),
                new KeyState(
                        "samplers_running",
                        Need.WRITE,
                        enough,
                        enough ? "" : fleet.alive() + " of " + fleet.size() + " samplers run"));
    }

    List<Plane> planes() {
        String trouble = authenticator.trouble();
        int size = fleet.size();
        int alive = fleet.alive();
        return List.of(
                Plane.of(
                        "admin.samplers",
                        alive >= ENOUGH * size ? Health.HEALTHY : Health.DEGRADED,
                        alive >= ENOUGH * size ? "" : alive + " of " + size + " samplers run"),
                Plane.of("admin.auth", trouble.isEmpty() ? Health.HEALTHY : Health.DOWN, trouble));
    }

    Map<String, Object> statusData() {
        return Map.of("nodes", fleet.size(), "sse_streams", streams.open(), "auth_mode", authenticator.mode());
    }

    ConsoleView view() {
        Map<String, Boolean> readiness = new LinkedHashMap<>();
        ReadyView ready = context.readiness().view();
        ready.keys().forEach(key -> readiness.put(key.name(), key.met()));
        List<NodeDetail.Queue> queues = new ArrayList<>();
        for (Mailbox<?> box : context.kernel().mailboxes()) {
            queues.add(new NodeDetail.Queue(
                    box.spec().name(),
                    box.depth(),
                    (long) box.spec().capacity(),
                    context.metrics()
                            .count("queue_dropped_total", "queue", box.spec().name())));
        }
        int lagging = (int) fleet.all().stream()
                .filter(n -> rows.metricsState(n).equals("stale"))
                .count();
        int stretched = (int) fleet.all().stream()
                .filter(n -> n.measured().interval().compareTo(n.target().interval()) > 0)
                .count();
        Runtime runtime = Runtime.getRuntime();
        return new ConsoleView(
                readiness,
                queues,
                new ConsoleView.Samplers(fleet.alive(), lagging, stretched),
                keys.map(ConsoleHealth::keySet).orElse(null),
                new ConsoleView.ConfigState(context.configs().value().version(), null, null),
                new ConsoleView.Streams(streams.open(), streams.limit(), 0),
                runtime.totalMemory() - runtime.freeMemory(),
                runtime.maxMemory(),
                ringBytes(),
                startedAt,
                version);
    }

    private static ConsoleView.KeySet keySet(KeyRefresher known) {
        boolean ever = known.keys().size() > 0;
        return new ConsoleView.KeySet(
                ever ? Long.valueOf(known.ageSeconds()) : null,
                known.keys().size(),
                known.state(),
                known.keys().trouble().isEmpty() ? null : known.keys().trouble());
    }
}
