package dev.ron.service.trace;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends finished spans to the collector in batches; what the collector does not take is counted and forgotten. */
public final class SpanExporter {
    public static final TaskSpec TASK = Topology.task("span-exporter")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .stage(Stage.PUBLISHERS)
            .does("sends spans to the OTLP collector, when one is configured");

    private static final int BATCH = 512;
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final Duration POST_LIMIT = Duration.ofSeconds(5);

    /** The way to the collector: a POST of JSON to {@code /v1/traces}. */
    @FunctionalInterface
    public interface Collector {
        /** Returns when the collector has taken the body; any failure is a {@link RonException}. */
        void post(byte[] body, Deadline deadline);
    }

    private final Mailbox<Span> queue;
    private final Collector collector;
    private final String instanceId;
    private final Meter.Count exported;
    private final Meter.Count failed;

    public SpanExporter(Mailbox<Span> queue, Collector collector, String instanceId, Meter meter) {
        this.queue = queue;
        this.collector = collector;
        this.instanceId = instanceId;
        this.exported = meter.counter("spans_exported_total", "result", "ok");
        this.failed = meter.counter("spans_exported_total", "result", "failed");
    }

    /** The body of the exporter task. */
    public void run(TaskScope scope) {
        while (true) {
            Optional<Delivery<Span>> first = queue.receive(Deadline.never(scope.clock()));
            if (first.isEmpty()) {
                return;
            }
            send(batch(first.get().item(), scope), scope);
        }
    }

    private List<Span> batch(Span first, TaskScope scope) {
        List<Span> spans = new ArrayList<>(List.of(first));
        Deadline linger = Deadline.after(scope.clock(), LINGER);
        while (spans.size() < BATCH) {
            Optional<Delivery<Span>> next = queue.receive(linger);
            if (next.isEmpty()) {
                break;
            }
            spans.add(next.get().item());
        }
        return spans;
    }

    private void send(List<Span> spans, TaskScope scope) {
        try {
            collector.post(OtlpJson.encode(spans, instanceId), Deadline.after(scope.clock(), POST_LIMIT));
            exported.add(spans.size());
        } catch (RonException e) {
            failed.add(spans.size());
        }
    }
}
