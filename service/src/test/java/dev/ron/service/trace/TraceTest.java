package dev.ron.service.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeaks.class)
class TraceTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void aValidParentIsContinued() {
        TraceContext next = TraceContext.continueFrom(PARENT);
        assertThat(next.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(next.spanId()).isNotEqualTo("b7ad6b7169203331").matches("[0-9a-f]{16}");
        assertThat(next.sampled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            })
    void anInvalidParentStartsANewTrace(String header) {
        assertThat(TraceContext.parse(header)).isEmpty();
        assertThat(TraceContext.continueFrom(header).traceId()).isNotEqualTo("0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    void aLaterVersionIsReadByItsFirstFields() {
        assertThat(TraceContext.parse("01" + PARENT.substring(2) + "-what-the-future-brings"))
                .isPresent();
    }

    @Property
    void whatWeWriteWeRead(@ForAll boolean sampled) {
        TraceContext made = TraceContext.create();
        TraceContext context = new TraceContext(made.traceId(), made.spanId(), sampled);
        assertThat(TraceContext.parse(context.traceparent())).contains(context);
    }

    @Property
    void anyTextIsAnswered(@ForAll String header) {
        assertThat(TraceContext.continueFrom(header).traceparent()).hasSize(55);
    }

    @Test
    void otlpBodyIsWhatACollectorReads() {
        TraceContext context = new TraceContext("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7", true);
        Span span = new Span(
                "svc.gateway.proxy",
                "gateway",
                context,
                "b7ad6b7169203331",
                Instant.ofEpochSecond(1, 5),
                Instant.ofEpochSecond(2),
                Map.of("route", "/demo"),
                false);
        assertThat(new String(OtlpJson.encode(List.of(span), "i1"), StandardCharsets.UTF_8))
                .isEqualTo("{\"resourceSpans\":[{\"resource\":{\"attributes\":["
                        + "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"svc-gateway\"}},"
                        + "{\"key\":\"service.namespace\",\"value\":{\"stringValue\":\"ron\"}},"
                        + "{\"key\":\"service.instance.id\",\"value\":{\"stringValue\":\"i1\"}}]},"
                        + "\"scopeSpans\":[{\"scope\":{\"name\":\"dev.ron\"},\"spans\":[{"
                        + "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"spanId\":\"00f067aa0ba902b7\","
                        + "\"parentSpanId\":\"b7ad6b7169203331\",\"name\":\"svc.gateway.proxy\",\"kind\":2,"
                        + "\"startTimeUnixNano\":\"1000000005\",\"endTimeUnixNano\":\"2000000000\","
                        + "\"attributes\":[{\"key\":\"route\",\"value\":{\"stringValue\":\"/demo\"}}],"
                        + "\"status\":{\"code\":2}}]}]}]}");
    }

    // collector down | spans ended   ->  nobody waits, the newest are dropped and counted, at the end all is flushed or
    // counted
    @Test
    void aDeadCollectorCostsSpansNotCallers() {
        Clock clock = Clock.system();
        RecordingMeter meter = new RecordingMeter();
        Kernel kernel = new Kernel(
                Topology.of("node", "test", Tracer.QUEUE, SpanExporter.TASK),
                clock,
                meter,
                Backoff.Policy.DEFAULT,
                c -> {});
        Shutdown shutdown = new Shutdown(clock, meter, () -> Duration.ofSeconds(30));
        kernel.attach(shutdown);
        Mailbox<Span> queue = kernel.mailbox(Tracer.QUEUE, (span, cause) -> {});
        AtomicBoolean exporting = new AtomicBoolean(false);
        Tracer tracer = new Tracer(queue, clock, meter, exporting::get);
        tracer.start("gateway", "proxy", PARENT).end(true);
        assertThat(queue.depth()).as("nothing is kept without a collector").isZero();

        exporting.set(true);
        for (int i = 0; i < 2048 + 7; i++) {
            tracer.start("gateway", "proxy", PARENT).with("n", "" + i).end(true);
        }
        tracer.start("gateway", "proxy", PARENT.replace("-01", "-00")).end(true);
        assertThat(meter.count("queue_dropped_total", "queue", "spans")).isEqualTo(7);

        ConcurrentLinkedQueue<String> posted = new ConcurrentLinkedQueue<>();
        AtomicBoolean down = new AtomicBoolean(true);
        SpanExporter exporter = new SpanExporter(
                queue,
                (body, deadline) -> {
                    if (down.getAndSet(false)) {
                        throw new RonException(Code.UPSTREAM_CONNECT, "refused");
                    }
                    posted.add(new String(body, StandardCharsets.UTF_8));
                },
                "i1",
                meter);
        kernel.spawn(SpanExporter.TASK, exporter::run);
        Eventually.await("the rest is sent", () -> meter.count("spans_exported_total", "result", "ok") == 3 * 512);
        assertThat(meter.count("spans_exported_total", "result", "failed")).isEqualTo(512);
        assertThat(posted).hasSize(3).allMatch(b -> b.contains("0af7651916cd43dd8448eb211c80319c"));
        shutdown.request("test", "done");
        assertThat(shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30))))
                .hasValueSatisfying(r -> assertThat(r.clean()).isTrue());
    }
}
