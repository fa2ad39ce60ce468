package dev.ron.ledger.model;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Council;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.TestLog;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.sign.MlDsaSigningKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every object: reads what it writes, and nothing else. */
class CodecTest {
    private static final Council COUNCIL = new Council(3, 2);
    private static final Base BASE = new Base(4, B3.of(new byte[] {4}));

    /** An object's text with its reader; free members are the ones whose content is the proposer's own. */
    record Sample(String name, Json.Obj json, Fields.Reader<Json.Obj> codec) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Sample> samples() throws Refused {
        Draft full = new Draft(
                "passport.issuer_policy",
                Council.body("issuer", "ü"),
                new TreeMap<>(Map.of("env", "prod", "a/b", "")),
                OptionalLong.of(5));
        List<Op> ops = List.of(new Op.Put("svc.a@1", 0, full), new Op.Deprecate("svc.b", 3), new Op.Remove("svc.c", 1));
        List<Item> items = List.of(new Item("svc.a", full), new Item("svc.b", Council.draft("x")));
        Signer hybrid = Signer.active(
                "org:acme#hybrid",
                "acme",
                Council.key("h").verifyKey(),
                MlDsaSigningKey.generate(new SecureRandom()).verifyKey());
        SignerSet set = new SignerSet(
                2,
                1,
                1,
                2,
                24,
                true,
                new SignerSet.Thresholds(1, 2, 2),
                List.of(hybrid, COUNCIL.signer(0), COUNCIL.signer(1).revokedAt(5)));
        Fields.Reader<Json.Obj> payload =
                (json, what) -> ChangeSet.fromJson(json, what).toJson();
        TestLog log = new TestLog(COUNCIL.set(2), items.toArray(Item[]::new));
        Artifact commit = log.commit(new Body.Change(List.of(ops.get(0))), COUNCIL, 0, 1);
        Proposal proposal = log.propose(new Body.Change(ops));
        return Stream.of(
                new Sample("change", ChangeSet.of(new Body.Change(ops)).toJson(), payload),
                new Sample(
                        "replace_all",
                        ChangeSet.of(new Body.ReplaceAll(BASE, items)).toJson(),
                        payload),
                new Sample(
                        "signer_set", ChangeSet.of(new Body.Rotate(BASE, set)).toJson(), payload),
                new Sample(
                        "supersede",
                        new ChangeSet(
                                        "1.0.0",
                                        new Body.Supersede(
                                                BASE, new Correction(3, Correction.Cause.DATA_ERROR, "typo"), ops),
                                        Optional.of(proposal.proposalId()),
                                        Optional.of("see ticket"))
                                .toJson(),
                        payload),
                new Sample("genesis", log.artifacts.getFirst().payload().toJson(), payload),
                new Sample(
                        "descriptor",
                        new Descriptor("a", 3, Descriptor.State.DEPRECATED, full).toJson(),
                        (json, what) -> Descriptor.fromJson(json, what).toJson()),
                new Sample(
                        "proposal",
                        proposal.toJson(),
                        (json, what) -> Proposal.fromJson(json, what).toJson()),
                new Sample(
                        "approval",
                        COUNCIL.approve(0, proposal, 1).toJson(),
                        (json, what) -> Approval.fromJson(json, what).toJson()),
                new Sample(
                        "audit",
                        audit(2, B3.of(new byte[1])).toJson(),
                        (json, what) -> AuditRecord.fromJson(json, what).toJson()),
                new Sample(
                        "entry",
                        commit.entry().toJson(),
                        (json, what) -> Entry.fromJson(json, what).toJson()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void readsWhatItWrites(Sample sample) throws Refused {
        Json read = StrictJson.HASHED.readCanonical(CanonicalJson.bytes(sample.json()), sample.name());
        assertThat(sample.codec().read(read, sample.name())).isEqualTo(sample.json());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void refusesAnUnknownMemberInEveryObject(Sample sample) {
        List<Json> changed = new ArrayList<>();
        mutate(sample.json(), changed, object -> {
            TreeMap<String, Json> more = new TreeMap<>(object.members());
            more.put("zzz", new Json.Int(1));
            return List.of(new Json.Obj(more));
        });
        assertThat(changed).isNotEmpty();
        for (Json json : changed) {
            refuses(() -> sample.codec().read(json, "x"), Reason.MALFORMED, "zzz");
        }
    }

    /** Leaving any member out either refuses or gives another object: nothing is filled in silently. */
    @ParameterizedTest
    @MethodSource("samples")
    void fillsInNothing(Sample sample) throws Refused {
        List<Json> changed = new ArrayList<>();
        mutate(
                sample.json(),
                changed,
                object -> object.members().keySet().stream()
                        .map(name -> {
                            TreeMap<String, Json> fewer = new TreeMap<>(object.members());
                            fewer.remove(name);
                            return (Json) new Json.Obj(fewer);
                        })
                        .toList());
        for (Json json : changed) {
            try {
                assertThat(sample.codec().read(json, "x")).isEqualTo(json).isNotEqualTo(sample.json());
            } catch (Refused expected) {
                assertThat(expected.reason()).isNotNull();
            }
        }
    }

    /** Any scalar of another type refuses. */
    @ParameterizedTest
    @MethodSource("samples")
    void refusesAnotherTypeInEveryMember(Sample sample) {
        List<Json> changed = new ArrayList<>();
        mutate(
                sample.json(),
                changed,
                object -> object.members().entrySet().stream()
                        .map(member -> {
                            TreeMap<String, Json> other = new TreeMap<>(object.members());
                            other.put(
                                    member.getKey(),
                                    member.getValue() instanceof Json.Bool ? new Json.Int(1) : new Json.Bool(true));
                            return (Json) new Json.Obj(other);
                        })
                        .toList());
        for (Json json : changed) {
            assertThatThrownBy(() -> sample.codec().read(json, "x"))
                    .as(CanonicalJson.text(json))
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void presentButEmptyOptionalsAreRefused() {
        TreeMap<String, Json> draft =
                new TreeMap<>(((Json.Obj) Council.draft("x").toJson()).members());
        draft.put("labels", Json.Obj.of(Map.of()));
        Json json = replaceDraft(new Json.Obj(draft));
        refuses(() -> ChangeSet.fromJson(json, "payload"), Reason.NOT_CANONICAL, "leave it out");
    }

    @Test
    void capsHold() {
        String big = "x".repeat(Draft.MAX_BODY_BYTES);
        assertThatThrownBy(() -> Draft.of("service", Council.body("a", big))).hasMessageContaining("body bytes");
        assertThatThrownBy(() -> new Op.Put("../etc", 0, Council.draft("x"))).hasMessageContaining("descriptor id");
        assertThatThrownBy(() -> new Op.Remove("a", 0)).hasMessageContaining("does not exist yet");
        assertThatThrownBy(() -> new Body.Change(List.of())).hasMessageContaining("0 operations");
        assertThatThrownBy(() -> new Body.Change(List.of(new Op.Remove("a", 1), new Op.Deprecate("a", 1))))
                .hasMessageContaining("two operations on a");
        assertThatThrownBy(() -> new Body.Supersede(
                        BASE, new Correction(5, Correction.Cause.OTHER, "n"), List.of(new Op.Remove("a", 1))))
                .hasMessageContaining("at most 4");
        Json deep = new Json.Int(1);
        for (int i = 0; i < 40; i++) {
            deep = new Json.Arr(List.of(deep));
        }
        Json.Obj body = Json.Obj.of(Map.of("a", deep));
        refuses(
                () -> ChangeSet.fromJson(
                        ChangeSet.of(new Body.Change(List.of(new Op.Put("a", 0, Draft.of("service", body)))))
                                .toJson(),
                        "p"),
                Reason.OVER_LIMIT,
                "deeper than 32");
    }

    @Test
    void aSetThatCannotReachItsQuorumCannotBeMade() {
        assertThatThrownBy(() -> COUNCIL.set(4)).hasMessageContaining("m 4 (expected: 1..3)");
        assertThatThrownBy(() -> set(1, 1, 1, COUNCIL.signers())).hasMessageContaining("k_pq 1 (expected: 0..0)");
        assertThatThrownBy(() -> set(1, 0, 3, COUNCIL.signers())).hasMessageContaining("min_orgs 3 (expected: 1..2)");
        assertThatThrownBy(() ->
                        new SignerSet(1, 2, 0, 1, 72, false, new SignerSet.Thresholds(1, 2, 2), COUNCIL.signers()))
                .hasMessageContaining("thresholds.change 1 (expected: 2..3)");
        // m and n of the defaults are no minima: one of one is a log too.
        assertThat(new Council(1, 1).set(1).threshold(Kind.SUPERSEDE)).isEqualTo(1);
        assertThat(new Council(7, 3).set(3).threshold(Kind.SUPERSEDE)).isEqualTo(5);
    }

    @Test
    void oneKeyUnderTwoNamesCannotBeListed() {
        Signer alias = Signer.active("org:org1#alias", "org1", COUNCIL.key(0).verifyKey());
        assertThatThrownBy(() -> set(1, 0, 1, List.of(COUNCIL.signer(0), alias)))
                .hasMessageContaining("listed twice");
        assertThatThrownBy(() -> set(1, 0, 1, List.of(COUNCIL.signer(0), COUNCIL.signer(0))))
                .hasMessageContaining("listed twice");
        assertThatThrownBy(
                        () -> Signer.active("org:org1#x", "org2", COUNCIL.key(0).verifyKey()))
                .hasMessageContaining("does not belong");
    }

    @Test
    void aKeyIdThatIsNotTheKeysOwnIsRefused() {
        String text = CanonicalJson.text(COUNCIL.set(2).toJson());
        String first = COUNCIL.key(0).verifyKey().keyId().text();
        String second = COUNCIL.key(1).verifyKey().keyId().text();
        refuses(
                () -> SignerSet.fromJson(
                        StrictJson.HASHED.read(
                                text.replace(first, second).getBytes(java.nio.charset.StandardCharsets.UTF_8), "x"),
                        "set"),
                Reason.MALFORMED,
                "key_id");
    }

    @Test
    void theAuditChainLinksByHash() throws Refused {
        AuditRecord first = audit(1, B3.ZERO);
        audit(2, first.hash()).mustFollow(first);
        refuses(() -> audit(3, first.hash()).mustFollow(first), Reason.CHAIN_MISMATCH, "does not follow record 1");
        refuses(() -> audit(2, B3.of(new byte[1])).mustFollow(first), Reason.CHAIN_MISMATCH, "audit record 2: prev");
        assertThatThrownBy(() -> audit(2, B3.ZERO)).hasMessageContaining("the first is 1");
    }

    private static AuditRecord audit(long seq, B3 prev) {
        return new AuditRecord(
                seq,
                prev,
                5,
                "user:alice",
                AuditRecord.Action.PROPOSE,
                "p_1",
                "refused",
                Optional.of("busy"),
                "c1",
                new TreeMap<>(Map.of("payload_b3", B3.ZERO)));
    }

    @Test
    void theProposalIdIsDerived() {
        Proposal one = new Proposal(
                "p_" + "a".repeat(26),
                ChangeSet.of(new Body.Change(List.of(new Op.Remove("a", 1)))),
                B3.ZERO,
                10,
                "u",
                "n",
                0,
                1);
        refuses(() -> Proposal.fromJson(one.toJson(), "proposal"), Reason.PAYLOAD_HASH_MISMATCH);
        Proposal two =
                new Proposal(one.proposalId(), one.payload(), one.payload().hash(), 10, "u", "n", 0, 1);
        refuses(() -> Proposal.fromJson(two.toJson(), "proposal"), Reason.MALFORMED, "proposal_id");
        assertThat(Proposal.id(B3.ZERO, "a", "b")).hasSize(28).isNotEqualTo(Proposal.id(B3.ZERO, "ab", ""));
    }

    private static SignerSet set(int m, int kPq, int minOrgs, List<Signer> signers) {
        return new SignerSet(1, m, kPq, minOrgs, 72, false, SignerSet.Thresholds.defaults(m, signers.size()), signers);
    }

    private static Json replaceDraft(Json draft) {
        Json.Obj op = Json.Obj.of(Map.of(
                "op",
                new Json.Str("put"),
                "id",
                new Json.Str("a"),
                "expect_rev",
                new Json.Int(0),
                "descriptor",
                draft));
        TreeMap<String, Json> members = new TreeMap<>(ChangeSet.of(new Body.Change(List.of(new Op.Remove("a", 1))))
                .toJson()
                .members());
        members.put("ops", new Json.Arr(List.of(op)));
        return new Json.Obj(members);
    }

    /** Applies a change to one object at a time, everywhere but inside the members that are the proposer's own. */
    private static void mutate(
            Json.Obj object, List<Json> out, java.util.function.Function<Json.Obj, List<Json>> change) {
        Set<String> free = Set.of("body", "labels", "inputs");
        out.addAll(change.apply(object));
        object.members().forEach((name, value) -> {
            if (free.contains(name)) {
                return;
            }
            List<Json> inner = new ArrayList<>();
            if (value instanceof Json.Obj child) {
                mutate(child, inner, change);
            } else if (value instanceof Json.Arr(List<Json> items)) {
                for (int i = 0; i < items.size(); i++) {
                    if (items.get(i) instanceof Json.Obj child) {
                        List<Json> changed = new ArrayList<>();
                        mutate(child, changed, change);
                        for (Json item : changed) {
                            List<Json> list = new ArrayList<>(items);
                            list.set(i, item);
                            inner.add(new Json.Arr(list));
                        }
                    }
                }
            }
            for (Json changed : inner) {
                TreeMap<String, Json> members = new TreeMap<>(object.members());
                members.put(name, changed);
                out.add(new Json.Obj(members));
            }
        });
    }
}
