package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.kms.KeyRing;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.token.Refused;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What has no place any more is refused before a byte of it is written, and nothing is forgotten to make room. */
class DraftCapsTest {
    private static final long NOW = 1_760_000_000;

    private final SecureRandom random = new SecureRandom();
    private final KeyTimes times = KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30);
    private final KeyRing ring = KeyRing.EMPTY.withFirst(List.of(Purpose.PCT, Purpose.FEED), NOW, random);

    private Draft draft(List<Revocation> revoked) throws Refused {
        OfficeState state =
                OfficeState.of("urn:test", 1, 7, Revocations.none(NOW).with(revoked, NOW), List.of(), ring, Map.of());
        return new Draft(state, NOW, times, random, new HolderQuota());
    }

    private static void assertNoRoom(Draft draft, Command command) {
        assertThatThrownBy(() -> draft.add(command))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.QUOTA_EXHAUSTED));
        assertThat(draft.changed()).as("nothing of it is left").isFalse();
        assertThat(draft.state("urn:test").seq()).isEqualTo(7);
    }

    private static List<Revocation> keys(int count) {
        List<Revocation> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Revocation.Key("kid-%012d".formatted(i)));
        }
        return all;
    }

    @Test
    void aKeyBeyondTheLastPlaceIsRefusedAndAnEmergencyRotationStillWorks() throws Refused {
        String kid = ring.active(Purpose.PCT).kid();
        Draft last = draft(keys(Revocations.MAX_KEYS - 1));
        assertThat(last.add(new Command.RevokeKey(kid, "compromise"))).containsExactly(kid);
        assertThat(last.state("urn:test").revocations().isKeyRevoked(kid)).isTrue();

        assertNoRoom(draft(keys(Revocations.MAX_KEYS)), new Command.RevokeKey(kid, "compromise"));

        Draft emergency = draft(keys(Revocations.MAX_KEYS));
        emergency.add(new Command.Rotate(Purpose.PCT, true));
        OfficeState after = emergency.state("urn:test");
        assertThat(after.ring().active(Purpose.PCT).kid()).isNotEqualTo(kid);
        assertThat(after.revocations().globalFloor())
                .as("the floor ends its tokens")
                .isEqualTo(2);
    }

    // no room for an id  ->  the tenant's floor rises instead; no room for that either  ->  refused, and told so
    @Test
    void aTenantsFloorBeyondTheLastPlaceIsRefused() throws Refused {
        List<Revocation> full = ids();
        for (int i = 0; i < Revocations.MAX_TENANT_FLOORS - 1; i++) {
            full.add(new Revocation.TenantFloor("t" + i, 1));
        }
        Command one = new Command.Revoke(new Revocation.Id("more", NOW + 600), "other", "acme", Optional.empty());
        Draft last = draft(full);
        last.add(one);
        assertThat(last.escalated()).isTrue();
        assertThat(last.state("urn:test").revocations().floor("acme")).isEqualTo(2);

        full.add(new Revocation.TenantFloor("the last", 1));
        assertNoRoom(draft(full), one);
    }

    // no room for an id of which nobody knows whose it is  ->  everybody's floor rises: one of a tenant might miss it
    @Test
    void anIdOfAnUnknownTenantThatHasNoPlaceRaisesTheFloorOfAll() throws Refused {
        Command one = new Command.Revoke(new Revocation.Id("more", NOW + 600), "other", "", Optional.empty());
        Draft draft = draft(ids());
        draft.add(one);
        assertThat(draft.escalated()).isTrue();
        assertThat(draft.state("urn:test").revocations().floor("whoever")).isEqualTo(2);
    }

    private static List<Revocation> ids() {
        List<Revocation> full = new ArrayList<>();
        for (int i = 0; i < Revocations.MAX_IDS; i++) {
            full.add(new Revocation.Id("id-" + i, NOW + 600));
        }
        return full;
    }
}
