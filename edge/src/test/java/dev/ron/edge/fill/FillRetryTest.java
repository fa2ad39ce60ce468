package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.edge.config.EdgeConfig.LiveFillRetry;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When an origin that is busy is asked again, and when no more. */
@Timeout(120)
class FillRetryTest {
    private static final String RETRIED = "backoff_retries_total{op=\"live_fill\",service=\"edge\"} 1";

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin, String retry) {
        return FillEdge.start(
                origin, ca, folder.resolve("data"), "timeout_secs = 60", "[edge.retry.live_fill]\n" + retry);
    }

    private static byte[] busy(String... fields) {
        String more = String.join("", fields);
        return ("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n" + more + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    // sleep_n = min(max, base * 2^n) + U[0, base]
    @Test
    void theWaitsAreThoseOfTheFormula() {
        Retry.Policy random = FillParts.policy(new LiveFillRetry(50, 800, 2, true));
        Retry.Policy exact = FillParts.policy(new LiveFillRetry(50, 800, 2, false));
        assertThat(random.attempts()).isEqualTo(3);
        List<Integer> least = List.of(50, 100, 200, 400, 800, 800);
        for (int n = 0; n < least.size(); n++) {
            int retry = n;
            Duration from = Duration.ofMillis(least.get(n));
            assertThat(exact.wait(n, new Random(n))).isEqualTo(from);
            Random dice = new Random(n);
            List<Duration> waits = dice.ints(1000)
                    .mapToObj(_ -> random.wait(retry, dice))
                    .sorted()
                    .toList();
            assertThat(waits.getFirst()).as("n = %d", n).isBetween(from, from.plusMillis(5));
            assertThat(waits.getLast()).as("n = %d", n).isBetween(from.plusMillis(45), from.plusMillis(50));
        }
    }

    // a wait before a retry | the service stops  ->  the wait ends, and the origin is not asked again
    @Test
    void noRetryBeginsOnceTheServiceStops() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(busy()));
                TestEdge edge = edge(ca, origin, "base_ms = 2000\nmax_ms = 2000");
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("it waits for a retry", () -> edge.metrics().contains(RETRIED));
            assertThat(edge.stop().clean()).isTrue();
            assertThat(waits.read().status()).isEqualTo(503);
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void anOriginThatSaysWhenIsAskedAgainThenOrNotAtAll() throws Exception {
        TestCa ca = ca();
        List<Long> asked = new CopyOnWriteArrayList<>();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    if (head.contains("/long")) {
                        out.write(busy("Retry-After: 30\r\n"));
                    } else {
                        asked.add(System.nanoTime());
                        out.write(asked.size() == 1 ? busy("Retry-After: 1\r\n") : Origin.ok("one"));
                    }
                });
                TestEdge edge = edge(ca, origin, "max_retries = 2")) {
            assertThat(text(edge.get("/edge/assets/o/short"))).isEqualTo("one");
            assertThat(asked).hasSize(2);
            assertThat(asked.get(1) - asked.get(0)).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
            HttpResponse<byte[]> later = edge.get("/edge/assets/o/long");
            assertThat(later.statusCode()).isEqualTo(503);
            assertThat(header(later, "Retry-After")).isEqualTo("30");
            assertThat(origin.requests()).isEqualTo(3);
        }
    }
}
