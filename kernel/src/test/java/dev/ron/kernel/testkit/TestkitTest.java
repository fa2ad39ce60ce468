package dev.ron.kernel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.topology.Topology;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit finds what it is for. */
class TestkitTest {

    @Test
    void aVirtualThreadLeftBehindIsNamed() throws Exception {
        var before = LiveThreads.now();
        var end = new CountDownLatch(1);
        Thread left = Thread.ofVirtual().name("svc/left-behind").start(() -> {
            try {
                end.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        var now = LiveThreads.now();
        now.keySet().removeAll(before.keySet());
        assertThat(now).containsValue("svc/left-behind (virtual)");
        end.countDown();
        left.join();
        Eventually.await("it is gone", () -> !LiveThreads.now().containsKey(left.threadId()));
    }

    @Test
    void anOpenSocketIsFoundAndAClosedOneIsNot() throws Exception {
        var before = OpenFiles.now().keySet();
        try (ServerSocketChannel open = ServerSocketChannel.open()) {
            assertThat(OpenFiles.now().keySet()).hasSize(before.size() + 1);
            assertThat(open.isOpen()).isTrue();
        }
        assertThat(OpenFiles.now().keySet()).isEqualTo(before);
    }

    @Test
    void aQuietTestPassesTheLeakCheck() {
        new LeakCheck().assertNothingLeft();
    }

    // What every service's golden test does: docs/design/topology/<service>.md against its topology.
    @Test
    void changingACapacityWithoutRegeneratingTheDocumentFails(@TempDir Path docs) throws Exception {
        Topology before = Topology.of("svc-x", "A service.", Topology.mailbox("work", 512));
        Topology after = Topology.of("svc-x", "A service.", Topology.mailbox("work", 513));
        new GoldenFile(docs, "design/x.md", true).matches(before.markdown());
        GoldenFile golden = new GoldenFile(docs, "design/x.md", false);
        golden.matches(before.markdown());
        assertThatThrownBy(() -> golden.matches(after.markdown()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("./ron docs")
                .hasMessageContaining("513");
        assertThat(Files.readString(docs.resolve("design/x.md"))).isEqualTo(before.markdown());
    }

    @Test
    void aMissingDocumentIsOutOfDate(@TempDir Path docs) {
        assertThatThrownBy(() -> new GoldenFile(docs, "none.md", false).matches("x"))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void theRecordingMeterAddsUpPerLabel() {
        RecordingMeter meter = new RecordingMeter();
        meter.counter("a_total", "queue", "work").add(2);
        meter.counter("a_total", "queue", "work").increment();
        meter.counter("b_total").increment();
        meter.timing("t_seconds", "", "").record(5);
        assertThat(meter.count("a_total", "queue", "work")).isEqualTo(3);
        assertThat(meter.count("b_total")).isEqualTo(1);
        assertThat(meter.count("c_total")).isZero();
        assertThat(meter.timed("t_seconds", "", "")).isEqualTo(1);
        assertThat(meter.counts()).containsKeys("a_total{queue=\"work\"}", "b_total");
    }
}
