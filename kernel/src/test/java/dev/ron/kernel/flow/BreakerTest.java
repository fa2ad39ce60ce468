package dev.ron.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final Breaker breaker = new Breaker("kms", Breaker.Policy.DEFAULT, clock, meter);

    private void fail() {
        assertThatThrownBy(() -> breaker.call(() -> {
                    throw new IOException("down");
                }))
                .isInstanceOf(IOException.class);
    }

    private void open() {
        while (breaker.state() == 0) {
            fail();
        }
        assertThat(breaker.state()).isEqualTo(2);
    }

    private void refuses() {
        assertThatThrownBy(() -> breaker.call(() -> 1)).isInstanceOfSatisfying(RonException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.CIRCUIT_OPEN);
            assertThat(e.retryAfter()).isPresent();
        });
    }

    @Test
    void opensOnFailuresAndAnswersAtOnce() throws Exception {
        assertThat(breaker.call(() -> 1)).isEqualTo(1);
        assertThat(breaker.state()).isZero();
        open();
        refuses();
        assertThat(meter.count("circuit_open_total", "endpoint", "kms")).isEqualTo(1);
    }

    @Test
    void opensOnSlowCalls() throws Exception {
        for (int i = 0; i < 20; i++) {
            breaker.call(() -> {
                clock.advance(Duration.ofMillis(3_001));
                return 1;
            });
        }
        assertThat(breaker.state()).isEqualTo(2);
    }

    @Test
    void threeGoodProbesCloseIt() throws Exception {
        open();
        clock.advance(Duration.ofMillis(2_001));
        for (int i = 0; i < 3; i++) {
            assertThat(breaker.call(() -> 1)).isEqualTo(1);
        }
        assertThat(breaker.state()).isZero();
    }

    @Test
    void failedProbesDoubleTheWait() {
        open();
        clock.advance(Duration.ofMillis(2_001));
        fail();
        fail();
        fail();
        clock.advance(Duration.ofMillis(2_001));
        refuses();
        clock.advance(Duration.ofMillis(2_001));
        fail();
    }

    @Test
    void aProbeThatEndsInAnErrorOrIsCanceledGivesItsPlaceBack() throws Exception {
        open();
        clock.advance(Duration.ofMillis(2_001));
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> breaker.call(() -> {
                        throw new Canceled("kms");
                    }))
                    .isInstanceOf(Canceled.class);
        }
        assertThat(breaker.state()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> breaker.call(() -> {
                        throw new StackOverflowError("deep");
                    }))
                    .isInstanceOf(StackOverflowError.class);
        }
        assertThat(breaker.state()).as("three failed probes open it again").isEqualTo(2);
    }
}
