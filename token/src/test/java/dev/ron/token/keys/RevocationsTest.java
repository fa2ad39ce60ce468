package dev.ron.token.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Refused;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RevocationsTest {
    private static final long NOW = 1_760_000_000L;

    @Test
    void aRevocationIsKeptUntilNoVerifierCouldAcceptTheToken() throws Refused {
        Revocations revoked = Revocations.none(NOW).with(List.of(new Revocation.Id("a", NOW + 100)), NOW);
        assertThat(revoked.with(List.of(), NOW + 100 + 600).isRevoked("a")).isTrue();
        assertThat(revoked.with(List.of(), NOW + 100 + 601).isRevoked("a")).isFalse();
    }

    // a clock that is up to a minute off is forgiven; what is older than that is old, whoever sends it again
    @Test
    void ageCountsFromWhenItWasHeardWithinTheSkewThatIsForgiven() {
        Revocations state = Revocations.none(NOW);
        assertThat(state.heardAt(NOW + 59).age(NOW + 59)).isZero();
        assertThat(state.heardAt(NOW + 59).age(NOW + 59 + 31)).isEqualTo(31);
        assertThat(state.heardAt(NOW - 59).age(NOW - 59 + 31)).isEqualTo(31);
        assertThat(state.heardAt(NOW - 120).age(NOW - 120 + 31)).isEqualTo(31);
        assertThat(state.heardAt(NOW + 300).age(NOW + 300)).isEqualTo(240);
        assertThat(state.heardAt(NOW + 30).heardAt(NOW + 90).age(NOW + 90))
                .as("a replay does not make it younger and younger")
                .isEqualTo(30);
    }

    @Test
    void aSubjectIsKeptAsLongAsAnyTokenOfItCouldLive() throws Refused {
        Revocations revoked = Revocations.none(NOW).with(List.of(new Revocation.Subject("t", "s", NOW)), NOW);
        long last = NOW + 300 + 24 * 3600 + 600;
        assertThat(revoked.with(List.of(), last).subjectCount()).isEqualTo(1);
        assertThat(revoked.with(List.of(), last + 1).subjectCount()).isZero();
    }

    @Test
    void laterEntriesNeverWeakenEarlierOnes() throws Refused {
        Revocations revoked = Revocations.none(NOW)
                .with(
                        List.of(
                                new Revocation.Id("a", NOW + 500),
                                new Revocation.Subject("t", "s", NOW),
                                new Revocation.Floor(7),
                                new Revocation.TenantFloor("t", 9)),
                        NOW)
                .with(
                        List.of(
                                new Revocation.Id("a", NOW - 500),
                                new Revocation.Subject("t", "s", NOW - 50),
                                new Revocation.Floor(3),
                                new Revocation.TenantFloor("t", 1)),
                        NOW - 1000);
        assertThat(revoked.asOf()).isEqualTo(NOW);
        assertThat(revoked.with(List.of(), NOW + 700).isRevoked("a")).isTrue();
        assertThat(revoked.isSubjectRevoked("t", "s", NOW, 0)).isTrue();
        assertThat(revoked.floor("t")).isEqualTo(9);
        assertThat(revoked.floor("u")).isEqualTo(7);
    }

    @Property(tries = 300)
    void theFloorIsTheHighestOfAll(@ForAll @Size(max = 8) List<@IntRange(max = 50) Integer> epochs) throws Refused {
        List<Revocation> entries = new ArrayList<>();
        long highest = 0;
        for (int i = 0; i < epochs.size(); i++) {
            long epoch = epochs.get(i);
            entries.add(i % 2 == 0 ? new Revocation.Floor(epoch) : new Revocation.TenantFloor("t", epoch));
            highest = Math.max(highest, epoch);
        }
        assertThat(Revocations.none(NOW).with(entries, NOW).floor("t")).isEqualTo(highest);
    }

    @Test
    void beyondItsCapItRefusesInsteadOfForgetting() throws Refused {
        List<Revocation> full = new ArrayList<>();
        for (int i = 0; i < Revocations.MAX_IDS; i++) {
            full.add(new Revocation.Id("id" + i, NOW + 100));
        }
        Revocations revoked = Revocations.none(NOW).with(full, NOW);
        assertThat(revoked.idCount()).isEqualTo(Revocations.MAX_IDS);
        assertThatThrownBy(() -> revoked.with(List.of(new Revocation.Id("more", NOW + 100)), NOW))
                .isInstanceOf(Refused.class);
        assertThat(revoked.isRevoked("id0")).isTrue();
    }
}
