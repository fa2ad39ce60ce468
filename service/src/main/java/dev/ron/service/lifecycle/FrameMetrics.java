package dev.ron.service.lifecycle;

import dev.ron.service.health.KeyState;
import dev.ron.service.health.ReadyView;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Gauges about the process and about the readiness of each service. */
final class FrameMetrics {
    private FrameMetrics() {}

    static void bind(ServiceMetrics metrics, Frame frame) {
        metrics.gauge(
                "amnesia_mode",
                "1 when everything is kept in RAM.",
                () -> frame.settings().amnesia() ? 1 : 0);
        metrics.gaugesBy(
                "service_info",
                "Which build runs.",
                List.of("instance", "build_version", "java", "profile"),
                () -> Map.of(
                        List.of(
                                frame.instanceId(),
                                frame.build().version(),
                                Runtime.version().toString(),
                                frame.settings().profile()),
                        1));
        bindReadiness(metrics, frame::ready);
    }

    static void bindReadiness(ServiceMetrics metrics, Supplier<ReadyView> view) {
        metrics.gauge("ready_state", "0 down, 1 degraded, 2 ready.", () -> {
            ReadyView now = view.get();
            return now.writeReady() ? 2 : now.ready() ? 1 : 0;
        });
        metrics.gauges("ready_dependency_unmet", "1 for a dependency that is missing.", "dep", () -> {
            Map<String, Integer> unmet = new HashMap<>();
            for (KeyState key : view.get().keys()) {
                int at = key.name().indexOf("dep:");
                if (at >= 0) {
                    unmet.put(key.name().substring(at + 4), key.met() ? 0 : 1);
                }
            }
            return unmet;
        });
    }
}
