package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Headers;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final VirtualClock clock = new VirtualClock();

    private Duration left(String... headers) {
        long now = clock.nanos();
        return Duration.ofNanos(RequestDeadline.of(Headers.of(headers), clock, now, LIMIT.toNanos()) - now);
    }

    private String epochMillis(long fromNow) {
        return Long.toString(clock.now().toEpochMilli() + fromNow);
    }

    @Test
    void aCallerCanOnlyShortenTheDeadline() {
        assertThat(left()).isEqualTo(LIMIT);
        assertThat(left("Request-Timeout", "2")).hasSeconds(2);
        assertThat(left("Request-Timeout", "1730ms")).hasMillis(1730);
        assertThat(left("Request-Timeout", "9")).isEqualTo(LIMIT);
        assertThat(left("Deadline", epochMillis(700))).hasMillis(700);
        assertThat(left("Deadline", epochMillis(9_000))).isEqualTo(LIMIT);
        assertThat(left("Request-Timeout", "2", "Deadline", epochMillis(700))).hasMillis(700);
        assertThat(left("Request-Timeout", "300ms", "Deadline", epochMillis(700)))
                .hasMillis(300);
    }

    @Test
    void aDeadlineInThePastLeavesNothing() {
        assertThat(left("Deadline", epochMillis(-1))).isZero();
        assertThat(left("Request-Timeout", "0")).isZero();
    }

    @Test
    void nonsenseSaysNothing() {
        for (String bad : new String[] {"", "x", "-1", "1s", "ms", "1.5", "99999999999999999999"}) {
            assertThat(left("Request-Timeout", bad)).as(bad).isEqualTo(LIMIT);
            assertThat(left("Deadline", bad)).as(bad).isEqualTo(LIMIT);
        }
    }
}
