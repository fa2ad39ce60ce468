package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.kms.FileKeystore;
import dev.ron.passport.kms.KeyRing;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.Keystore;
import dev.ron.service.config.Secret;
import dev.ron.token.Refused;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However often keys are changed, verifiers and the next start can read them all. */
class ManyKeysTest {
    private static final long NOW = 1_760_000_000;
    private static final int FAR_TOO_MANY = 2_000;
    private static final List<Purpose> PURPOSES = List.of(Purpose.values());

    private final SecureRandom random = new SecureRandom();
    private final KeyTimes times = KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 1);
    private long now = NOW;
    private OfficeState state = OfficeState.of(
            "urn:test",
            1,
            0,
            Revocations.none(NOW),
            List.of(),
            KeyRing.EMPTY.withFirst(PURPOSES, NOW, random),
            Map.of());

    private void rotate(Purpose purpose, boolean atOnce) {
        Draft draft = new Draft(state, now, times, random, new HolderQuota());
        draft.add(new Command.Rotate(purpose, atOnce));
        draft.keepCalendar(PURPOSES);
        state = draft.state("urn:test");
    }

    private void calendar() {
        Draft draft = new Draft(state, now, times, random, new HolderQuota());
        draft.keepCalendar(PURPOSES);
        state = draft.state("urn:test");
    }

    private void assertRefusedAtLast(Purpose purpose, boolean atOnce) {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < FAR_TOO_MANY; i++) {
                        rotate(purpose, atOnce);
                        now += atOnce ? 1 : times.ahead();
                        calendar();
                    }
                })
                .isInstanceOfSatisfying(RonException.class, e -> {
                    assertThat(e.code()).isEqualTo(Code.CONFLICT);
                    assertThat(e.reason()).isEqualTo("too_many_keys");
                });
    }

    private void assertReadableByVerifiers() throws Refused {
        assertThat(JwkSet.parse(state.jwks().getBytes(StandardCharsets.UTF_8)).keys())
                .hasSize((int) state.ring().shown());
    }

    private void assertReadableByTheNextStart(Path folder) throws IOException {
        Keystore store = new FileKeystore(folder.resolve("keystore"), Secret.of("a passphrase"), random);
        store.save(new Keystore.Content(1, 0, state.ring()));
        assertThat(store.load().orElseThrow().ring().keys())
                .hasSameSizeAs(state.ring().keys());
    }

    // rotated every ten minutes  ->  refused before the set is longer than verifiers read, and the calendar goes on
    @Test
    void rotationsAreRefusedBeforeTheKeysAreMoreThanCanBeRead() throws Exception {
        assertRefusedAtLast(Purpose.PCT, false);
        for (int hour = 0; hour < 50; hour++) {
            assertReadableByVerifiers();
            now += 3600;
            calendar();
        }
        String kid = state.ring().active(Purpose.PCT).kid();
        rotate(Purpose.PCT, true);
        assertThat(state.ring().find(kid).orElseThrow().status()).isEqualTo(KeyStatus.REVOKED);
    }

    // published keys fill their places  ->  an emergency has one all the same, for it takes others away
    @Test
    void anEmergencyIsRefusedOnlyWhereTheNextStartCouldNotReadTheKeys(@TempDir Path folder) throws Exception {
        assertRefusedAtLast(Purpose.PCT, false);
        rotate(Purpose.PCT, true);
        assertRefusedAtLast(Purpose.FEED, true);
        assertReadableByVerifiers();
        assertReadableByTheNextStart(folder);
    }
}
