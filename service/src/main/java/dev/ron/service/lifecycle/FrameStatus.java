package dev.ron.service.lifecycle;

import dev.ron.service.config.Config;
import dev.ron.service.health.ReadyView;
import dev.ron.service.status.Plane;
import dev.ron.service.status.StatusView;
import dev.ron.service.status.StatusView.QueueLine;
import dev.ron.service.status.StatusView.TaskLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Puts the status document of a process together from what each of its services says now. */
public final class FrameStatus {
    private static final List<String> CAPABILITIES = List.of("admin_api_v1", "reload", "shutdown", "drain", "resume");

    private final Frame frame;
    private final Supplier<Map<String, String>> addresses;
    private final Supplier<Map<String, String>> listeners;

    public FrameStatus(Frame frame, Map<String, String> addresses) {
        this(frame, () -> addresses, Map::of);
    }

    /**
     * @param addresses where the process listens besides its services, such as {@code metrics_addr}; asked each time,
     *     because a port may be known only once it is bound
     * @param listeners the URL of each listener, by its name
     */
    public FrameStatus(Frame frame, Supplier<Map<String, String>> addresses, Supplier<Map<String, String>> listeners) {
        this.frame = frame;
        this.addresses = addresses;
        this.listeners = listeners;
    }

    /** A lone service is the node; several make up a node of their own name. */
    public StatusView.Identity identity() {
        List<RunningService> services = frame.services();
        boolean alone = services.size() == 1;
        String name = alone ? services.getFirst().name() : "";
        return new StatusView.Identity(
                alone ? "svc-" + name : "ron-node",
                alone ? name : frame.settings().profile() + "node",
                frame.build().version(),
                frame.instanceId(),
                frame.settings().amnesia());
    }

    public StatusView view() {
        List<RunningService> services = frame.services();
        boolean alone = services.size() == 1;
        Config config = frame.current();
        ReadyView ready = frame.ready();
        List<Plane> planes = new ArrayList<>();
        Map<String, String> words = new LinkedHashMap<>();
        List<TaskLine> tasks = new ArrayList<>();
        List<QueueLine> queues = new ArrayList<>();
        Map<String, Object> data = new LinkedHashMap<>();
        Map<String, String> places = new TreeMap<>(addresses.get());
        for (RunningService s : services) {
            String prefix = alone ? "" : s.name() + ".";
            planes.addAll(s.planes());
            words.put("svc-" + s.name(), word(s.ready()));
            tasks.addAll(s.taskLines(prefix));
            queues.addAll(s.queueLines(prefix));
            if (alone) {
                data.putAll(s.service().statusData());
                places.putAll(s.context().addresses());
            } else {
                data.put(s.name(), s.service().statusData());
            }
        }
        return new StatusView(
                identity(),
                Duration.between(frame.startedAt(), frame.clock().now()).toSeconds(),
                ready.ready(),
                CAPABILITIES,
                planes,
                places,
                listeners.get(),
                frame.settings().logLevel().apply(config),
                Map.of("config", "loaded"),
                words,
                frame.phase(),
                new StatusView.ConfigState(
                        config.version(), config.hash(), frame.reloader().loadedAt()),
                tasks,
                queues,
                data);
    }

    private static String word(ReadyView view) {
        return view.writeReady() ? "ok" : view.ready() ? "degraded" : "down";
    }
}
