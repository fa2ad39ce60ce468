package dev.ron.admin.live;

import dev.ron.admin.AdminMetrics;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.series.Numbers;
import dev.ron.admin.view.LiveEvent;
import dev.ron.admin.view.NodeRow;
import dev.ron.admin.view.Points;
import dev.ron.admin.view.SeriesView;
import dev.ron.http.sse.SseEvent;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/** Gathers what changed and sends it to the streams once a second, each node once however often it changed. */
public final class EventHub {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int ROWS_PER_EVENT = 100;

    private final Fleet fleet;
    private final Rows rows;
    private final FleetDocument document;
    private final Streams streams;
    private final AdminMetrics metrics;
    private final Set<String> changed = new LinkedHashSet<>();
    private final Set<String> sampled = new LinkedHashSet<>();

    public EventHub(Fleet fleet, Rows rows, FleetDocument document, Streams streams, AdminMetrics metrics) {
        this.fleet = fleet;
        this.rows = rows;
        this.document = document;
        this.streams = streams;
        this.metrics = metrics;
    }

    public void run(TaskScope scope) {
        Subscription<FleetEvent> events = scope.own(fleet.events().subscribe("event_hub"));
        while (!scope.stopping()) {
            Deadline flush = scope.untilStop().within(EVERY);
            boolean open = true;
            while (open && !flush.expired()) {
                Optional<Received<FleetEvent>> next = events.receive(flush);
                open = next.map(this::take).orElse(false);
            }
            flush();
            if (!open && !scope.stopping() && !flush.expired()) {
                return;
            }
        }
    }

    /** False when there will be no more. */
    private boolean take(Received<FleetEvent> received) {
        switch (received) {
            case Received.Item<FleetEvent>(var _, FleetEvent event) -> note(event);
            case Received.Lagged<FleetEvent>(long missed) -> {
                metrics.lagged(missed);
                // What was missed may have been about any node.
                fleet.all().forEach(node -> changed.add(node.id()));
            }
            case Received.Closed<FleetEvent> _ -> {
                return false;
            }
        }
        return true;
    }

    private void note(FleetEvent event) {
        switch (event) {
            case FleetEvent.Changed(String id, boolean withNumbers) -> {
                changed.add(id);
                if (withNumbers) {
                    sampled.add(id);
                }
            }
            case FleetEvent.Gone(List<String> ids) -> {
                changed.removeAll(ids);
                sampled.removeAll(ids);
                document.changed();
                send("gone", new LiveEvent.Gone(ids), false);
            }
            case FleetEvent.Configured configured -> {
                document.changed();
                // What was wrong names files, keys and values of every service; not everyone who looks may read it.
                send("config", new LiveEvent.ConfigChanged(configured.version(), configured.ok(), null), false);
                if (configured.error() != null) {
                    send(
                            "config",
                            new LiveEvent.ConfigChanged(configured.version(), configured.ok(), configured.error()),
                            true);
                }
            }
            case FleetEvent.Audited(var record) -> send("audit", new LiveEvent.Audited(record), true);
            case FleetEvent.Auth(String state) -> send("auth", new LiveEvent.AuthChanged(state), false);
        }
    }

    private void flush() {
        if (changed.isEmpty()) {
            return;
        }
        document.changed();
        if (streams.open() > 0) {
            List<NodeRow> all = new ArrayList<>();
            for (String id : changed) {
                fleet.node(id).map(rows::row).ifPresent(all::add);
            }
            for (int from = 0; from < all.size(); from += ROWS_PER_EVENT) {
                List<NodeRow> part = all.subList(from, Math.min(all.size(), from + ROWS_PER_EVENT));
                send("node", new LiveEvent.NodeChange(part), false);
            }
            for (String id : sampled) {
                if (streams.wants(id)) {
                    fleet.node(id).ifPresent(this::sendPoint);
                }
            }
        }
        changed.clear();
        sampled.clear();
    }

    /** The newest point of each golden series. */
    private void sendPoint(NodeRuntime node) {
        Numbers numbers = node.numbers();
        SeriesView golden = numbers.golden();
        if (golden.t().isEmpty()) {
            return;
        }
        Map<String, Points> cols = new LinkedHashMap<>();
        golden.cols().forEach((key, points) -> cols.put(key, points.last(1)));
        SeriesView newest = new SeriesView(node.id(), List.of(golden.t().getLast()), cols, List.of());
        send("metrics", new LiveEvent.MetricsPoint(node.id(), newest, numbers.totals()), false);
    }

    private void send(String type, Object data, boolean operatorsOnly) {
        streams.publish(type, JSON.writeValueAsString(data), operatorsOnly);
    }

    static SseEvent event(String id, String type, Object data) {
        return new SseEvent(id, type, JSON.writeValueAsString(data));
    }
}
