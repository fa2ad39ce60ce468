package dev.ron.service.metrics;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.sync.LockViolations;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.CloseWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** The gauges of a kernel's live parts, read at scrape. */
public final class KernelMetrics {
    private KernelMetrics() {}

    /** Publishes the queues, tasks and permits of one service. */
    public static void bind(ServiceMetrics metrics, Kernel kernel) {
        metrics.gauges("queue_depth", "Items waiting.", "queue", () -> {
            Map<String, Integer> depths = queues(kernel, Mailbox::depth);
            kernel.queues().forEach(q -> depths.put(q.spec().name(), q.depth().getAsInt()));
            return depths;
        });
        metrics.gauges(
                "queue_depth_peak",
                "Most items waiting since the last scrape.",
                "queue",
                () -> queues(kernel, Mailbox::takePeak));
        metrics.gauges(
                "tasks_live", "Tasks alive.", "kind", () -> kernel.supervisor().liveByKind());
        metrics.gauges("inflight", "Permits in use.", "bound", () -> {
            Map<String, Integer> used = new HashMap<>();
            for (Permits p : kernel.permits()) {
                used.merge(p.name(), p.inUse(), Integer::sum);
            }
            return used;
        });
    }

    private static Map<String, Integer> queues(Kernel kernel, ToIntFunction<Mailbox<?>> value) {
        Map<String, Integer> depths = new HashMap<>();
        for (Mailbox<?> m : kernel.mailboxes()) {
            depths.put(m.spec().name(), value.applyAsInt(m));
        }
        return depths;
    }

    /** Publishes what the kernel notices about the whole process. */
    public static void bindProcess(ServiceMetrics metrics) {
        metrics.counts(
                "lock_while_blocking_total",
                "Waits begun while holding a lock.",
                List.of("lock", "point"),
                () -> violations("lock held while blocking: "));
        metrics.counts(
                "lock_order_violations_total",
                "Locks taken against their order.",
                List.of("lock", "point"),
                () -> violations("lock order: "));
        metrics.counts(
                "forgotten_close_total",
                "Objects collected without having been closed.",
                List.of(),
                () -> Map.of(List.of(), CloseWatch.forgotten()));
    }

    private static Map<List<String>, Number> violations(String kind) {
        Map<List<String>, Number> found = new HashMap<>();
        LockViolations.counts().forEach((what, n) -> {
            int at = what.lastIndexOf(" at ");
            if (what.startsWith(kind) && at > 0) {
                found.put(List.of(what.substring(kind.length(), at), what.substring(at + 4)), n);
            }
        });
        return found;
    }
}
