package dev.ron.passport.kms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRingTest {
    private static final long NOW = 1_800_000_000L;
    private static final KeyTimes TIMES = KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30);

    private final SecureRandom random = new SecureRandom();
    private final KeyRing first = KeyRing.EMPTY.withFirst(List.of(Purpose.PCT, Purpose.FEED), NOW, random);

    @Test
    void theFirstKeyIsActiveAtOnce() {
        assertThat(first.active(Purpose.PCT).from()).isEqualTo(NOW);
        assertThat(first.withFirst(List.of(Purpose.PCT), NOW + 1, random)).isEqualTo(first);
    }

    @Test
    void aLaterKeyIsPublishedTenMinutesBeforeItSigns() {
        KeyRing announced = first.announced(Purpose.PCT, NOW, TIMES, random);
        KmsKey successor = announced.find(Purpose.PCT, KeyStatus.ANNOUNCED).orElseThrow();
        assertThat(announced.published()).extracting(key -> key.kid()).contains(successor.kid());
        assertThat(announced.advanced(NOW + 599, TIMES, random)).isSameAs(announced);
        assertThat(announced.nextChange(TIMES)).isEqualTo(NOW + 600);
        KeyRing active = announced.advanced(NOW + 600, TIMES, random);
        assertThat(active.active(Purpose.PCT).kid()).isEqualTo(successor.kid());
    }

    @Test
    void aReplacedKeyStaysPublishedUntilTheLongestTokenHasRunOut() {
        String old = first.active(Purpose.PCT).kid();
        KeyRing active = first.announced(Purpose.PCT, NOW, TIMES, random).advanced(NOW + 600, TIMES, random);
        KmsKey retiring = active.find(old).orElseThrow();
        assertThat(retiring.status()).isEqualTo(KeyStatus.RETIRING);
        assertThat(retiring.secret().isEmpty()).as("it signs no more").isTrue();
        long lastToken = NOW + 600 + 24 * 3600 + 300;
        assertThat(active.advanced(lastToken - 1, TIMES, random)
                        .find(old)
                        .orElseThrow()
                        .status())
                .isEqualTo(KeyStatus.RETIRING);
        KeyRing retired = active.advanced(lastToken, TIMES, random);
        assertThat(retired.find(old).orElseThrow().status()).isEqualTo(KeyStatus.RETIRED);
        assertThat(retired.advanced(lastToken + 24 * 3600, TIMES, random).find(old))
                .isEmpty();
    }

    @Test
    void theCalendarAnnouncesASuccessorInTime() {
        long month = Duration.ofDays(30).toSeconds();
        KeyRing ring = first.advanced(NOW + month - 600, TIMES, random);
        assertThat(ring.find(Purpose.PCT, KeyStatus.ANNOUNCED)).isPresent();
        assertThat(ring.find(Purpose.FEED, KeyStatus.ANNOUNCED)).isPresent();
        assertThat(ring.advanced(NOW + month - 599, TIMES, random)).isSameAs(ring);
    }

    @Test
    void anEmergencyRevokesTheOldKeysAndHasANewOneAtOnce() {
        String old = first.active(Purpose.PCT).kid();
        KeyRing replaced = first.announced(Purpose.PCT, NOW, TIMES, random).replacedNow(Purpose.PCT, NOW, random);
        assertThat(replaced.active(Purpose.PCT).kid()).isNotEqualTo(old);
        assertThat(replaced.keys().stream().filter(key -> key.status() == KeyStatus.REVOKED))
                .hasSize(2);
        assertThat(replaced.active(Purpose.FEED)).isEqualTo(first.active(Purpose.FEED));
    }
}
