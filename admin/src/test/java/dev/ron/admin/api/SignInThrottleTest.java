package dev.ron.admin.api;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.RonException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignInThrottleTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final SignInThrottle throttle = new SignInThrottle();

    private void fail(String peer, int times, long now) {
        for (int i = 0; i < times; i++) {
            throttle.failed(peer, now);
        }
    }

    @Test
    void theSixthFailureOfAMinuteIsOneTooMany() {
        fail("a", 5, 0);
        assertThatThrownBy(() -> throttle.failed("a", MINUTE)).isInstanceOf(RonException.class);
        assertThatCode(() -> fail("a", 5, MINUTE + 1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> throttle.failed("a", MINUTE + 2)).isInstanceOf(RonException.class);
    }

    /** However many addresses try, a new one has its five, and the memory of them stays bounded. */
    @Test
    void aNewAddressTakesThePlaceOfTheOldest() {
        fail("first", 5, 0);
        for (int i = 0; i < 4095; i++) {
            fail("a" + i, 5, 1);
        }
        assertThatThrownBy(() -> throttle.failed("first", 2)).isInstanceOf(RonException.class);
        assertThatCode(() -> fail("new", 5, 2)).doesNotThrowAnyException();
        assertThatCode(() -> fail("first", 5, 3)).as("it was forgotten").doesNotThrowAnyException();
        assertThatThrownBy(() -> throttle.failed("a4094", 3)).isInstanceOf(RonException.class);
    }
}
