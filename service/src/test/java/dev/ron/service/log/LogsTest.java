package dev.ron.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.AccessLog;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.config.Secret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(NoLeaks.class)
class LogsTest {
    private static final Logger LOG = LoggerFactory.getLogger(LogsTest.class);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        Logs.install(
                LogFormat.TEXT,
                "warn",
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    @Test
    void whatMachinesAskByTheClockIsSilentWhileItGoesWell() {
        Logs.install(LogFormat.JSON, "info", out);
        AccessLines lines = new AccessLines(Clock.system());
        lines.log(entry("/readyz", 200));
        lines.log(entry("/readyz", 503));
        lines.log(entry("/echo", 200));
        assertThat(text().lines()).hasSize(2).first().asString().contains("\"route\":\"/readyz\",\"status\":503");
    }

    private static AccessLog.Entry entry(String route, int status) {
        return new AccessLog.Entry(
                "GET",
                route,
                route,
                status,
                "",
                1000,
                0,
                2,
                "corr-1",
                InetSocketAddress.createUnresolved("peer", 1),
                Map.of());
    }

    @Test
    void aLineIsOneJsonObjectWithItsCorrelation() {
        Logs.install(LogFormat.JSON, "info", out);
        CallContext context = new CallContext(
                Deadline.never(Clock.system()),
                "corr-0123456789ab",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                null,
                null);
        context.run(() -> LOG.atInfo()
                .addKeyValue("route", "/echo")
                .addKeyValue("status", 413)
                .addKeyValue("reason", "body_cap")
                .log("refused \"{}\"\nsecond line", "x"));
        String text = text();
        assertThat(text).endsWith("}\n").hasLineCount(1);
        JsonNode line = JsonMapper.shared().readTree(text);
        assertThat(line.get("level").asString()).isEqualTo("info");
        assertThat(line.get("event").asString()).isEqualTo("refused \"x\"\nsecond line");
        assertThat(line.get("corr_id").asString()).isEqualTo("corr-0123456789ab");
        assertThat(line.get("trace_id").asString()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(line.get("route").asString()).isEqualTo("/echo");
        assertThat(line.get("status").asInt()).isEqualTo(413);
        assertThat(line.get("ts").asString()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(line.get("service").asString()).isEqualTo("node");
    }

    @Test
    void noSecretReachesTheOutputInAnyField() {
        String canary = "cAnArY0123456789";
        for (LogFormat format : LogFormat.values()) {
            Logs.install(format, "info", out);
            LOG.info("Authorization: Bearer {}", canary);
            LOG.info("secret {}", Secret.of(canary));
            LOG.atWarn()
                    .addKeyValue("token", canary)
                    .addKeyValue("header", "Bearer " + canary)
                    .log("fields");
            LOG.error("failed", new IllegalStateException("passphrase=" + canary, new IOException("pct1." + canary)));
        }
        assertThat(text()).contains("***", "IllegalStateException").doesNotContain(canary);
    }

    @Test
    void textForAPersonCannotBeForged() {
        Logs.install(LogFormat.TEXT, "info", out);
        LOG.info("path {}", "/x\n12:00:00.000 ERROR node  all is lost\u001b[2J");
        assertThat(text()).hasLineCount(1).doesNotContain("\u001b").contains("INFO  node  path /x\\n12:00");
    }

    @Test
    void levelCanChangeWhileRunning() {
        Logs logs = Logs.install(LogFormat.TEXT, "warn", out);
        LOG.info("quiet");
        logs.level("debug");
        LOG.debug("loud");
        assertThat(text()).doesNotContain("quiet").contains("loud");
    }

    // writer stuck in write | 8192 + n lines logged   ->  no caller waits, n lines dropped and counted, the newest kept
    @Test
    void aStuckTerminalCostsLinesNotCallers() {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("lines are written whole");
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                stuck.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                out.write(bytes, from, length);
            }
        };
        RecordingMeter meter = new RecordingMeter();
        Clock clock = Clock.system();
        Logs logs = Logs.install(LogFormat.TEXT, "info", slow);
        Kernel kernel = new Kernel(
                Topology.of("node", "test", Logs.QUEUE, Logs.WRITER), clock, meter, Backoff.Policy.DEFAULT, c -> {});
        Shutdown shutdown = new Shutdown(clock, meter, () -> Duration.ofSeconds(30));
        kernel.attach(shutdown);
        Mailbox<LogLine> queue = kernel.mailbox(Logs.QUEUE, (line, cause) -> {});
        logs.attach(queue);
        kernel.spawn(Logs.WRITER, logs::write);

        LOG.info("first");
        Eventually.await("the writer is stuck", () -> stuck.getCount() == 0);
        for (int i = 0; i < 8192 + 100; i++) {
            LOG.info("line {}", i);
        }
        assertThat(meter.count("queue_dropped_total", "queue", "log")).isEqualTo(100);
        assertThat(queue.depth()).isEqualTo(8192);

        release.countDown();
        shutdown.request("test", "done");
        assertThat(shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30))))
                .hasValueSatisfying(r -> assertThat(r.clean()).isTrue());
        LOG.info("after the end");
        assertThat(text()).contains("first", "line 8291\n", "after the end").doesNotContain("line 50\n");
        assertThat(meter.count("tasks_panicked_total", "kind", "log-writer")).isZero();
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
