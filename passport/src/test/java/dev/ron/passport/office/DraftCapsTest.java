package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
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
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What has no place any more is refused before a byte of it is written, and nothing is forgotten to make room. */
class DraftCapsTest {
    private static final long NOW = 1_760_000_000;

    private final HolderQuota quota = new HolderQuota();
    private final SecureRandom random = new SecureRandom();
    private final KeyTimes times = KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30);
    private final KeyRing ring = KeyRing.EMPTY.withFirst(List.of(Purpose.PCT, Purpose.FEED), NOW, random);

    private Draft draft(List<Revocation> revoked) throws Refused {
        return at(NOW, office(revoked));
    }

    private OfficeState office(List<Revocation> revoked) throws Refused {
        return OfficeState.of("urn:test", 1, 7, Revocations.none(NOW).with(revoked, NOW), List.of(), ring, Map.of());
    }

    private Draft at(long now, OfficeState state) {
        return new Draft(state, now, times, random, quota);
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
        Command one =
                new Command.Revoke(new Revocation.Id("more", NOW + 600), "other", "acme", Optional.empty(), false);
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
        Command one = new Command.Revoke(new Revocation.Id("more", NOW + 600), "other", "", Optional.empty(), false);
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

    // 65,536 ids that ran out yesterday, and a new one  ->  there is room for it, for a client and for a holder
    @Test
    void whatHasRunOutTakesNobodysPlace() throws Refused {
        OfficeState full = office(ids());
        long later = NOW + 600 + 2 * Revocation.LARGEST_SKEW_SECONDS + 1;
        Revocation.Id one = new Revocation.Id("more", later + 600);
        Draft client = at(later, full);
        client.add(new Command.Revoke(one, "other", "acme", Optional.empty(), false));
        assertThat(client.escalated()).isFalse();
        assertThat(client.state("urn:test").revocations().entries()).containsExactly(one);
        Draft holder = at(later, full);
        holder.add(new Command.Revoke(one, "logout", "acme", Optional.of(one), false));
        assertThat(holder.state("urn:test").revocations().isRevoked("more")).isTrue();
    }

    @Test
    void whatIsListedAlreadyNeedsNoPlace() throws Refused {
        List<Revocation> full = subjects("acme", Revocations.MAX_SUBJECTS);
        full.addAll(keys(Revocations.MAX_KEYS - 1));
        full.add(new Revocation.Key(ring.active(Purpose.FEED).kid()));
        full.addAll(ids());
        for (int i = 0; i < Revocations.MAX_TENANT_FLOORS; i++) {
            full.add(new Revocation.TenantFloor("t" + i, 1));
        }
        Draft draft = draft(full);
        draft.add(new Command.Revoke(
                new Revocation.Subject("acme", "sub-7", NOW + 1), "logout", "acme", Optional.empty(), false));
        assertThat(draft.escalated()).as("a subject").isFalse();
        draft.add(new Command.RevokeKey(ring.active(Purpose.FEED).kid(), "compromise"));
        Command.Revoke escalating =
                new Command.Revoke(new Revocation.Id("more", NOW + 600), "other", "t7", Optional.empty(), false);
        draft.add(escalating);
        draft.add(escalating);
        assertThat(draft.state("urn:test").revocations().floor("t7")).isEqualTo(3);
    }

    @Test
    void theSameThingTwiceInABatchTakesOnePlace() throws Refused {
        Draft draft = draft(subjects("acme", Revocations.MAX_SUBJECTS - 1));
        Command.Revoke last = new Command.Revoke(
                new Revocation.Subject("globex", "ann", NOW), "logout", "globex", Optional.empty(), false);
        draft.add(last);
        draft.add(last);
        assertThat(draft.escalated()).isFalse();
        assertThat(draft.state("urn:test").revocations().subjectCount()).isEqualTo(Revocations.MAX_SUBJECTS);
    }

    // a tenant's client invents subjects  ->  its own tenant pays for it, and there is room for the others
    @Test
    void aTenantsClientFillsItsShareOfTheTablesAndNoMore() throws Refused {
        Draft draft = draft(List.of());
        for (int i = 0; i < HolderQuota.SUBJECTS_PER_TENANT; i++) {
            draft.add(byClientOf("acme", "sub-" + i));
        }
        assertThat(draft.escalated()).isFalse();
        Draft next = at(NOW, draft.state("urn:test"));
        next.add(byClientOf("acme", "sub-0"));
        assertThat(next.escalated()).as("what is listed costs nothing").isFalse();
        next.add(byClientOf("acme", "one more"));
        assertThat(next.escalated()).isTrue();
        next.add(byClientOf("globex", "ann"));
        assertThat(next.escalated()).isFalse();
        Revocations after = next.state("urn:test").revocations();
        assertThat(after.floor("acme")).isEqualTo(2);
        assertThat(after.floor("globex")).isZero();
        assertThat(after.subjectCount()).isEqualTo(HolderQuota.SUBJECTS_PER_TENANT + 1);
    }

    private static Command byClientOf(String tenant, String subject) {
        return new Command.Revoke(
                new Revocation.Subject(tenant, subject, NOW), "logout", tenant, Optional.empty(), true);
    }

    private static List<Revocation> subjects(String tenant, int count) {
        List<Revocation> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Revocation.Subject(tenant, "sub-" + i, NOW));
        }
        return all;
    }

    @Test
    void theProcessItselfIsNoClientThatCanBeTakenAway() throws Refused {
        Client guest = client(Client.GUEST);
        for (Command command :
                List.of(new Command.DropClient(guest.id()), new Command.KeepClient(client(Client.GUEST)))) {
            Draft draft = at(
                    NOW,
                    OfficeState.of(
                            "urn:test", 1, 7, Revocations.none(NOW), List.of(), ring, Map.of(guest.prefix(), guest)));
            assertThatThrownBy(() -> draft.add(command)).isInstanceOfSatisfying(RonException.class, e -> {
                assertThat(e.code()).isEqualTo(Code.CONFLICT);
                assertThat(e.reason()).isEqualTo("client_reserved");
            });
            assertThat(draft.state("urn:test").clients()).containsValue(guest);
        }
    }

    private Client client(String id) {
        ApiKey key = ApiKey.random(random);
        return new Client(id, key.prefix(), key.hash(), List.of("t"), Set.of(Right.VERIFY), List.of(), 0);
    }
}
