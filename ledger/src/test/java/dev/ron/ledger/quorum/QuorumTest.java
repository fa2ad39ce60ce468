package dev.ron.ledger.quorum;

import static dev.ron.ledger.Council.HOUR;
import static dev.ron.ledger.Council.NOW;
import static dev.ron.ledger.Council.ORIGIN;
import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Council;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.ledger.sign.MlDsaSigningKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class QuorumTest {
    private static final Council COUNCIL = new Council(7, 3);
    private static final Proposal PROPOSAL = proposal("svc.a");
    private static final SignerSet SET_3 =
            new SignerSet(3, 2, 0, 1, 72, false, new SignerSet.Thresholds(2, 2, 2), COUNCIL.signers());
    private static final MlDsaSigningKey PQ = MlDsaSigningKey.generate(new SecureRandom());

    /** What happens to one approval on its way; only the first counts. */
    enum Fate {
        GOOD,
        OTHER_LOG,
        OTHER_PROPOSAL,
        OTHER_PAYLOAD,
        EXPIRED,
        FUTURE,
        OLD_SET,
        REJECTS,
        STRANGER
    }

    // Approvals are made once; signing dominates otherwise.
    private static final List<Map<Fate, Approval>> MADE = made();

    record Vote(int member, Fate fate) {}

    @Provide
    Arbitrary<Vote> votes() {
        return Combinators.combine(Arbitraries.integers().between(0, 6), Arbitraries.of(Fate.class))
                .as(Vote::new);
    }

    @Property(tries = 1000)
    void satisfiedExactlyWhenTheOracleCountsEnough(
            @ForAll @IntRange(min = 1, max = 7) int n,
            @ForAll @IntRange(max = 6) int anyM,
            @ForAll @IntRange(max = 2) int anyOrgs,
            @ForAll @IntRange(max = 127) int revokedMask,
            @ForAll List<@From("votes") Vote> votes,
            @ForAll long shuffle) {
        List<Signer> signers = new ArrayList<>();
        Set<String> activeIds = new HashSet<>();
        Set<String> activeOrgs = new HashSet<>();
        for (int i = 0; i < n; i++) {
            // Member 0 stays active, so that the set can exist.
            boolean revoked = i > 0 && (revokedMask >> i & 1) == 1;
            signers.add(revoked ? COUNCIL.signer(i).revokedAt(2) : COUNCIL.signer(i));
            if (!revoked) {
                activeIds.add(COUNCIL.signer(i).signerId());
                activeOrgs.add(COUNCIL.signer(i).org());
            }
        }
        int m = 1 + anyM % activeIds.size();
        int minOrgs = 1 + anyOrgs % activeOrgs.size();
        SignerSet set =
                new SignerSet(3, m, 0, minOrgs, 72, false, SignerSet.Thresholds.defaults(m, activeIds.size()), signers);

        Set<String> ids = new HashSet<>();
        Set<String> orgs = new HashSet<>();
        List<Approval> cast = new ArrayList<>();
        for (Vote vote : votes) {
            cast.add(made(vote.member(), vote.fate()));
            Signer signer = COUNCIL.signer(vote.member());
            if (vote.fate() == Fate.GOOD && activeIds.contains(signer.signerId())) {
                ids.add(signer.signerId());
                orgs.add(signer.org());
            }
        }
        Tally tally = ballot(set).tally(cast);
        assertThat(tally.satisfied()).isEqualTo(ids.size() >= m && orgs.size() >= minOrgs);
        assertThat(tally.current().have()).isEqualTo(ids.size());
        assertThat(tally.satisfied()).isEqualTo(tally.missing().isEmpty());

        List<Approval> shuffled = new ArrayList<>(cast);
        Collections.shuffle(shuffled, new Random(shuffle));
        assertThat(ballot(set).tally(shuffled)).isEqualTo(tally);
        shuffled.addAll(cast);
        assertThat(ballot(set).tally(shuffled)).as("doubling every vote").isEqualTo(tally);
    }

    @Example
    void saysWhyAnApprovalDoesNotCount() throws Refused {
        Ballot ballot = ballot(new SignerSet(
                3,
                1,
                0,
                1,
                72,
                false,
                new SignerSet.Thresholds(1, 1, 1),
                List.of(COUNCIL.signer(0), COUNCIL.signer(1).revokedAt(9))));
        ballot.verify(made(0, Fate.GOOD));
        refuse(ballot, 0, Fate.OTHER_LOG, Reason.FOREIGN_APPROVAL, "other.example");
        refuse(ballot, 0, Fate.OTHER_PROPOSAL, Reason.FOREIGN_APPROVAL, "proposal_id");
        refuse(ballot, 0, Fate.OTHER_PAYLOAD, Reason.PAYLOAD_HASH_MISMATCH, "payload");
        refuse(ballot, 0, Fate.EXPIRED, Reason.EXPIRED, "expired at");
        refuse(ballot, 0, Fate.FUTURE, Reason.CLOCK_SKEW, "it is only");
        refuse(ballot, 0, Fate.OLD_SET, Reason.VERSION_SKEW, "signer set 1, set 3 is in force");
        refuse(ballot, 0, Fate.STRANGER, Reason.UNKNOWN_SIGNER, "org:elsewhere#m0 is not in signer set 3");
        refuse(ballot, 1, Fate.GOOD, Reason.REVOKED_KEY, "org:org1#m1 was revoked at version 9");
        refuse(ballot, 2, Fate.GOOD, Reason.UNKNOWN_SIGNER, "org:org2#m2");
    }

    @Property(tries = 200)
    void aFlippedBitInASignatureOrStatementIsRefused(@ForAll @IntRange(max = 511) int bit) {
        Approval good = made(0, Fate.GOOD);
        byte[] sig = good.signatures().getFirst().bytes();
        sig[bit / 8] ^= (byte) (1 << (bit % 8));
        Approval.KeySignature first = good.signatures().getFirst();
        Approval forged = new Approval(
                good.statement(),
                List.of(new Approval.KeySignature(first.algo(), first.keyId(), StrictBase64.encode(sig))));
        refuses(() -> ballot(SET_3).verify(forged), Reason.INVALID_SIG, "does not match");
        Statement s = good.statement();
        Approval moved = new Approval(
                new Statement(
                        s.origin(),
                        s.proposalId(),
                        s.payloadB3(),
                        s.decision(),
                        s.signerId(),
                        s.signerSetVersion(),
                        s.signedAtMs(),
                        s.expiresAtMs() + 1 + bit),
                good.signatures());
        refuses(() -> ballot(SET_3).verify(moved), Reason.INVALID_SIG);
    }

    @Example
    void anApprovalSignedWithAnotherMembersKeyIsRefused() {
        Statement statement = Council.statement(PROPOSAL, COUNCIL.signer(0).signerId(), 1);
        Approval foreign = Approval.sign(statement, COUNCIL.key(1));
        refuses(() -> ballot(COUNCIL.set(1)).verify(foreign), Reason.INVALID_SIG, "no signature by its key");
        Approval both = Approval.sign(statement, COUNCIL.key(0), COUNCIL.key(1));
        refuses(() -> ballot(COUNCIL.set(1)).verify(both), Reason.INVALID_SIG, "has no key");
    }

    @Example
    void aHybridSignerCountsOnceAndCannotBeDowngraded() throws Refused {
        Signer hybrid = Signer.active("org:acme#h", "acme", Council.key("h").verifyKey(), PQ.verifyKey());
        SignerSet set = new SignerSet(
                1,
                2,
                1,
                1,
                72,
                false,
                new SignerSet.Thresholds(2, 2, 2),
                List.of(hybrid, COUNCIL.signer(0), COUNCIL.signer(1)));
        Statement statement = Council.statement(PROPOSAL, "org:acme#h", 1);
        Approval full = Approval.sign(statement, PQ, Council.key("h"));
        Approval classical = Approval.sign(statement, Council.key("h"));
        Ballot ballot = ballot(set);
        ballot.verify(full);
        refuses(() -> ballot.verify(classical), Reason.PQ_REQUIRED, "ml-dsa-65");
        refuses(() -> ballot.verify(Approval.sign(statement, PQ)), Reason.INVALID_SIG, "ed25519");

        Approval zero = COUNCIL.approve(0, PROPOSAL, 1);
        Approval one = COUNCIL.approve(1, PROPOSAL, 1);
        assertThat(ballot.tally(List.of(full)).current().have()).isEqualTo(1);
        assertThat(ballot.tally(List.of(zero, one)).missing()).isEqualTo("signer set 1: 0 of 1 post-quantum approvals");
        assertThat(ballot.tally(List.of(classical, zero)).satisfied()).isFalse();
        assertThat(ballot.tally(List.of(full, zero)).satisfied()).isTrue();
    }

    @Example
    void aRotationNeedsBothSets() {
        SignerSet before = SignerSet.initial(2, COUNCIL.signers().subList(0, 3));
        SignerSet after = new SignerSet(
                2,
                2,
                0,
                1,
                72,
                false,
                new SignerSet.Thresholds(2, 2, 2),
                COUNCIL.signers().subList(2, 5));
        Ballot ballot = new Ballot(
                ORIGIN, PROPOSAL.proposalId(), PROPOSAL.payloadB3(), Kind.SIGNER_SET, before, Optional.of(after), NOW);
        assertThat(ballot.tally(votes(0, 1)).missing()).isEqualTo("signer set 2: 0 of 2 approvals");
        assertThat(ballot.tally(votes(3, 4)).missing()).isEqualTo("signer set 1: 0 of 2 approvals");
        assertThat(ballot.tally(votes(0, 2)).missing()).isEqualTo("signer set 2: 1 of 2 approvals");
        // Member 2 sits in both sets and speaks for both.
        assertThat(ballot.tally(votes(0, 2, 3)).satisfied()).isTrue();
        assertThat(ballot.tally(votes(0, 1, 3, 4)).satisfied()).isTrue();
    }

    @Example
    void aSignerWhoChangesKeysProvesThemBoth() throws Refused {
        Signer old = COUNCIL.signer(0);
        Signer renewed =
                Signer.active(old.signerId(), old.org(), Council.key("renewed").verifyKey());
        SignerSet before = SignerSet.initial(1, List.of(old));
        SignerSet after = new SignerSet(2, 1, 0, 1, 72, false, new SignerSet.Thresholds(1, 1, 1), List.of(renewed));
        Ballot ballot = new Ballot(
                ORIGIN, PROPOSAL.proposalId(), PROPOSAL.payloadB3(), Kind.SIGNER_SET, before, Optional.of(after), NOW);
        Statement statement = Council.statement(PROPOSAL, old.signerId(), 1);
        Approval oldOnly = Approval.sign(statement, COUNCIL.key(0));
        Approval newOnly = Approval.sign(statement, Council.key("renewed"));
        Approval both = Approval.sign(statement, COUNCIL.key(0), Council.key("renewed"));
        ballot.verify(oldOnly);
        ballot.verify(newOnly);
        ballot.verify(both);
        assertThat(ballot.tally(List.of(oldOnly)).satisfied()).isFalse();
        assertThat(ballot.tally(List.of(newOnly)).satisfied()).isFalse();
        assertThat(ballot.tally(List.of(both)).satisfied()).isTrue();
    }

    @Example
    void aRotationRemembersWhoWasRevoked() throws Refused {
        SignerSet before = set(1, COUNCIL.signer(0), COUNCIL.signer(1).revokedAt(2));
        Rotation.check(before, set(2, COUNCIL.signer(0), COUNCIL.signer(1).revokedAt(2)), 5);
        Rotation.check(
                before,
                set(
                        2,
                        COUNCIL.signer(2),
                        COUNCIL.signer(0).revokedAt(5),
                        COUNCIL.signer(1).revokedAt(2)),
                5);
        refuses(() -> Rotation.check(before, set(2, COUNCIL.signer(0)), 5), Reason.BAD_SIGNER_SET, "m1", "stay listed");
        refuses(
                () -> Rotation.check(before, set(2, COUNCIL.signer(0), COUNCIL.signer(1)), 5),
                Reason.BAD_SIGNER_SET,
                "stay listed");
        refuses(() -> Rotation.check(before, set(3, COUNCIL.signer(0)), 5), Reason.BAD_SIGNER_SET, "set_version 3");
        refuses(
                () -> Rotation.check(
                        before,
                        set(
                                2,
                                COUNCIL.signer(2),
                                COUNCIL.signer(0).revokedAt(4),
                                COUNCIL.signer(1).revokedAt(2)),
                        5),
                Reason.BAD_SIGNER_SET,
                "version 4 (expected: 5)");
    }

    @Example
    void rejectionsAreCountedButNeverSubtract() {
        Ballot ballot = ballot(SET_3);
        List<Approval> votes = new ArrayList<>(List.of(made(0, Fate.GOOD), made(1, Fate.GOOD)));
        votes.add(made(2, Fate.REJECTS));
        votes.add(made(3, Fate.REJECTS));
        assertThat(ballot.tally(votes).satisfied()).isTrue();
        assertThat(ballot.tally(votes).rejections()).isEqualTo(2);
    }

    private static SignerSet set(long version, Signer... signers) {
        return new SignerSet(version, 1, 0, 1, 72, false, new SignerSet.Thresholds(1, 1, 1), List.of(signers));
    }

    private static List<Approval> votes(int... members) {
        return COUNCIL.approve(PROPOSAL, 1, members);
    }

    private static void refuse(Ballot ballot, int member, Fate fate, Reason reason, String part) {
        Approval approval = made(member, fate);
        refuses(() -> ballot.verify(approval), reason, part);
    }

    private static Ballot ballot(SignerSet set) {
        return new Ballot(ORIGIN, PROPOSAL.proposalId(), PROPOSAL.payloadB3(), Kind.CHANGE, set, Optional.empty(), NOW);
    }

    private static Proposal proposal(String id) {
        return Proposal.of(
                ChangeSet.of(new Body.Change(List.of(new Op.Put(id, 0, Council.draft("x"))))),
                "u",
                "n",
                NOW,
                NOW + HOUR);
    }

    private static List<Map<Fate, Approval>> made() {
        List<Map<Fate, Approval>> made = new ArrayList<>();
        for (int member = 0; member < 7; member++) {
            Map<Fate, Approval> fates = new EnumMap<>(Fate.class);
            for (Fate fate : Fate.values()) {
                fates.put(fate, Approval.sign(statement(member, fate), COUNCIL.key(member)));
            }
            made.add(fates);
        }
        return made;
    }

    private static Approval made(int member, Fate fate) {
        return Objects.requireNonNull(MADE.get(member).get(fate));
    }

    private static Statement statement(int member, Fate fate) {
        return new Statement(
                fate == Fate.OTHER_LOG ? "other.example" : ORIGIN,
                fate == Fate.OTHER_PROPOSAL ? proposal("svc.b").proposalId() : PROPOSAL.proposalId(),
                fate == Fate.OTHER_PAYLOAD ? B3.ZERO : PROPOSAL.payloadB3(),
                fate == Fate.REJECTS ? Statement.Decision.REJECT : Statement.Decision.APPROVE,
                fate == Fate.STRANGER
                        ? "org:elsewhere#m" + member
                        : COUNCIL.signer(member).signerId(),
                fate == Fate.OLD_SET ? 1 : 3,
                fate == Fate.EXPIRED ? NOW - HOUR : fate == Fate.FUTURE ? NOW + HOUR : NOW,
                fate == Fate.EXPIRED ? NOW - 1 : NOW + 2 * HOUR);
    }
}
