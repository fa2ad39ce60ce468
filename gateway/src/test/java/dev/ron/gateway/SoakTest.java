package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.service.reload.ReloadOutcome;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same steady load for long, while targets and limits change: nothing fails and nothing grows. */
@ExtendWith(NoBufferLeaks.class)
class SoakTest {
    private static final Duration LENGTH = Boolean.getBoolean("ron.long") ? Duration.ofHours(1) : Duration.ofSeconds(8);
    private static final int CALLERS = 6;
    private static final String LARGE = "z".repeat(100_000);
    private static final long MIB = 1 << 20;

    /** What must not grow: bytes of the heap in use, of direct arenas, and open files. */
    private record Footprint(long heap, long direct, long files) {
        static Footprint now() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Footprint(
                    runtime.totalMemory() - runtime.freeMemory(),
                    PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory(),
                    system.getOpenFileDescriptorCount());
        }
    }

    /** Answers in three sizes, and closes every seventh connection after a few answers. */
    private static RawServer upstream() {
        return new RawServer((peer, number) -> {
            int left = number % 7 == 0 ? 20 : Integer.MAX_VALUE;
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                boolean last = --left == 0;
                String body = request.startsWith("GET /large") ? LARGE : "ok";
                peer.write("HTTP/1.1 200 OK\r\n" + (last ? "Connection: close\r\n" : "") + "Content-Length: "
                        + body.length() + "\r\n\r\n" + body);
                if (last) {
                    return;
                }
            }
        });
    }

    private static String config(int port, int inflight) {
        return """
                [gateway.routes.all]
                path = "/**"
                upstream = "one"
                auth = "none"
                methods = ["GET", "POST"]
                [gateway.upstreams.one]
                max_inflight = %d
                idle = "1s"
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(inflight, port);
    }

    private static void call(TestGateway gateway, AtomicBoolean stop, AtomicLong good, Queue<String> wrong) {
        while (!stop.get()) {
            try (RawClient client = gateway.client()) {
                for (int i = 0; i < 50 && !stop.get(); i++) {
                    RawClient.Answer answer = switch (i % 5) {
                        case 0 -> client.get("/large").read();
                        case 1 -> client.post("/", "x".repeat(2_000)).read();
                        default -> client.get("/").read();
                    };
                    int expected = i % 5 == 0 ? LARGE.length() : 2;
                    if (answer.status() != 200 || answer.body().length() != expected) {
                        wrong.add(answer.status() + " " + answer.body());
                    }
                    good.incrementAndGet();
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
        }
    }

    // a steady load | a reload every half second  ->  no request fails; heap, buffers and files stay as they were
    @Test
    @Timeout(value = 65, unit = TimeUnit.MINUTES)
    void nothingFailsAndNothingGrows() throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                RawServer first = upstream();
                RawServer second = upstream();
                TestGateway gateway = new TestGateway(config(first.port(), 8))) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong answered = new AtomicLong();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(CompletableFuture.runAsync(() -> call(gateway, stop, answered, wrong), threads));
            }
            try {
                Footprint warm = soak(gateway, first, second, LENGTH.dividedBy(3), wrong);
                Footprint late = soak(gateway, first, second, LENGTH.minus(LENGTH.dividedBy(3)), wrong);
                assertThat(late.heap()).as("heap").isLessThan(warm.heap() + 32 * MIB);
                assertThat(late.direct()).as("direct buffers").isLessThanOrEqualTo(warm.direct() + 16 * MIB);
                assertThat(late.files()).as("open files").isLessThan(warm.files() + 100);
            } finally {
                stop.set(true);
                callers.forEach(CompletableFuture::join);
            }
            assertThat(wrong).isEmpty();
            assertThat(answered.get()).isGreaterThan(CALLERS * 50L);
        }
    }

    private static Footprint soak(
            TestGateway gateway, RawServer first, RawServer second, Duration length, Queue<String> wrong)
            throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + length.toNanos();
        for (int round = 0; System.nanoTime() < end && wrong.isEmpty(); round++) {
            int port = (round % 2 == 0 ? second : first).port();
            assertThat(gateway.reload(config(port, 4 + round % 5))).isEqualTo(ReloadOutcome.APPLIED);
            assertThat(never.await(500, TimeUnit.MILLISECONDS)).isFalse();
        }
        return Footprint.now();
    }
}
