package dev.ron.service.trace;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Starts spans and hands finished ones to the exporter; a full queue drops the newest, and counts it. */
public final class Tracer {
    public static final MailboxSpec QUEUE = Topology.mailbox("spans", 2048)
            .from("every service")
            .to("span-exporter")
            .onDrain(OnDrain.FINISH)
            .stage(Stage.PUBLISHERS);

    private final Mailbox<Span> queue;
    private final Clock clock;
    private final BooleanSupplier exporting;
    private final Meter.Count dropped;

    /** @param exporting whether a collector is configured; without one a span costs two clock readings */
    public Tracer(Mailbox<Span> queue, Clock clock, Meter meter, BooleanSupplier exporting) {
        this.queue = queue;
        this.clock = clock;
        this.exporting = exporting;
        this.dropped = meter.counter("queue_dropped_total", "queue", QUEUE.name());
    }

    /** A step that has begun; end it once. Used by one thread at a time. */
    public final class Open {
        private final String service;
        private final String operation;
        private final TraceContext context;
        private final String parent;
        private final Instant start;
        private final Map<String, String> attributes = new TreeMap<>();

        private Open(String service, String operation, TraceContext context, String parent) {
            this.service = service;
            this.operation = operation;
            this.context = context;
            this.parent = parent;
            this.start = clock.now();
        }

        public TraceContext context() {
            return context;
        }

        public Open with(String key, String value) {
            attributes.put(key, value);
            return this;
        }

        public void end(boolean ok) {
            if (!context.sampled() || !exporting.getAsBoolean()) {
                return;
            }
            Span span = new Span(
                    "svc." + service + "." + operation,
                    service,
                    context,
                    parent,
                    start,
                    clock.now(),
                    Map.copyOf(attributes),
                    ok);
            if (queue.trySend(span) != Sent.ACCEPTED) {
                dropped.increment();
            }
        }
    }

    /** @param traceparent what the caller sent; empty starts a new trace */
    public Open start(String service, String operation, String traceparent) {
        Optional<TraceContext> parent = TraceContext.parse(traceparent);
        return new Open(
                service,
                operation,
                parent.map(TraceContext::child).orElseGet(TraceContext::create),
                parent.map(TraceContext::spanId).orElse(""));
    }
}
