package dev.ron.ledger.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Council;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.TestLog;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BundleTest {
    private static final Council COUNCIL = new Council(4, 2);
    private static final TestLog LOG = log();
    private static final byte[] FILE = LOG.bundle("policy", "svc.a").bytes();
    private static final Trust PINNED =
            Trust.pinned(LOG.artifacts.getFirst().entry().hash());

    @Example
    void verifiesOfflineAndTellsWhatItProves() {
        Verdict.Ok ok = ok(new BundleVerifier(PINNED).verify(FILE));
        assertThat(ok.genesis()).isEqualTo(LOG.artifacts.getFirst().entry().hash());
        assertThat(ok.subject()).isEqualTo(LOG.artifacts.getLast());
        assertThat(ok.isHead()).isTrue();
        assertThat(ok.signers()).isEqualTo(LOG.ledger.signers());
        assertThat(ok.values().get("policy"))
                .hasValueSatisfying(policy -> assertThat(policy.rev()).isEqualTo(1));
        assertThat(ok.values().get("svc.a")).isPresent();
        assertThat(ok.seenAtSeconds()).hasValue(Council.NOW / 1000);
        assertThat(new BundleVerifier(Trust.onFirstUse()).verify(FILE)).isEqualTo(ok);
    }

    @Example
    void aBundleOfAnOlderVersionIsNotTheHead() {
        assertThat(LOG.ledger.stepsOf(2)).containsExactly(1L, 2L);
        assertThat(LOG.ledger.stepsOf(4)).containsExactly(1L, 4L);
        assertThat(LOG.ledger.stepsOf(5)).containsExactly(1L, 4L, 5L);
        Bundle old = Bundle.of(
                LOG.checkpoint(), LOG.ledger.tree().size(), LOG.ledger.tree(), LOG.artifacts.subList(0, 2), List.of());
        Verdict.Ok ok = ok(new BundleVerifier(PINNED).verify(old.bytes()));
        assertThat(ok.subject().entry().version()).isEqualTo(2);
        assertThat(ok.isHead()).isFalse();
    }

    /** Never accepted, never an exception, always a sentence; the pin makes no difference. */
    @Property(tries = 600)
    void anyOneByteChangeIsRefusedWithAReason(
            @ForAll @IntRange(max = 1 << 20) int at,
            @ForAll @IntRange(min = 1, max = 255) int mask,
            @ForAll boolean pinned) {
        byte[] changed = FILE.clone();
        changed[at % changed.length] ^= (byte) mask;
        Verdict verdict = new BundleVerifier(pinned ? PINNED : Trust.onFirstUse()).verify(changed);
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Bad.class, bad -> assertThat(bad.detail()).isNotBlank());
    }

    @Property(tries = 100)
    void aCutOrLongerFileIsRefused(@ForAll @IntRange(max = 1 << 20) int at) {
        int length = at % (FILE.length - 1);
        assertThat(new BundleVerifier(PINNED).verify(java.util.Arrays.copyOf(FILE, length)))
                .isInstanceOf(Verdict.Bad.class);
        byte[] longer = java.util.Arrays.copyOf(FILE, FILE.length + 1);
        longer[FILE.length] = '\n';
        assertThat(new BundleVerifier(PINNED).verify(longer)).isInstanceOf(Verdict.Bad.class);
    }

    @Example
    void theFinalNewlineIsTheOnlyByteThatMayBeMissing() {
        ok(new BundleVerifier(PINNED).verify(java.util.Arrays.copyOf(FILE, FILE.length - 1)));
    }

    @Example
    void saysPreciselyWhatIsWrong() {
        String text = new String(FILE, StandardCharsets.UTF_8);
        Artifact last = LOG.artifacts.getLast();
        String sig = last.approvals().list().get(1).signatures().getFirst().sig();
        bad(text.replace("\"svc.a\"", "\"svc.z\""), Reason.PAYLOAD_HASH_MISMATCH, "entry 2: payload hash");
        bad(
                text.replace(sig, (sig.charAt(0) == 'A' ? "B" : "A") + sig.substring(1)),
                Reason.APPROVALS_HASH_MISMATCH,
                "entry 5: approvals hash");
        bad(text.replace("\"epoch\":1,", "\"epoch\":2,"), Reason.LEAF_MISMATCH, "entry 2: leaf 1 leads to root");
        bad(text.replace("\"t\":\"registry.bundle/v1\"", "\"t\":\"registry.bundle/v2\""), Reason.MALFORMED, "bundle.t");
        bad(text.replace("{\"checkpoint\"", "{ \"checkpoint\""), Reason.NOT_CANONICAL, "first difference at byte 1");
        bad(text.substring(0, 100), Reason.MALFORMED, "not JSON");
        String origin = Council.ORIGIN + "\\n5\\n";
        bad(
                text.replace(origin, Council.ORIGIN + "\\n6\\n"),
                Reason.INVALID_SIG,
                "note: the signature by " + Council.ORIGIN);
        bad(text.replace("\"state\":\"published\"", "\"state\":\"removed\""), Reason.STATE_MISMATCH, "state proof of");
    }

    @Example
    void anotherLogIsRefusedByItsPin() {
        Verdict verdict = new BundleVerifier(Trust.pinned(B3.ZERO)).verify(FILE);
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Bad.class, bad -> {
            assertThat(bad.reason()).isEqualTo(Reason.UNTRUSTED_GENESIS);
            assertThat(bad.detail()).contains("not the log you trust");
        });
        NoteKey stranger = new NoteSigner(Council.ORIGIN, NoteKey.Type.NOTE, Council.key("stranger")).key();
        assertThat(new BundleVerifier(new Trust(Optional.empty(), List.of(stranger))).verify(FILE))
                .isInstanceOfSatisfying(
                        Verdict.Bad.class, bad -> assertThat(bad.reason()).isEqualTo(Reason.NOTE_UNVERIFIED));
    }

    @Example
    void aMissingRotationOrGenesisIsNoticed() {
        Tree tree = LOG.ledger.tree();
        List<Artifact> all = LOG.artifacts;
        bad(bundle(tree, List.of(all.get(0), all.get(4))), Reason.VERSION_SKEW, "entry 5: made under signer set 2");
        bad(bundle(tree, List.of(all.get(1))), Reason.CHAIN_MISMATCH, "not a genesis");
        bad(bundle(tree, List.of()), Reason.INCOMPLETE, "no steps");
        bad(
                bundle(tree, List.of(all.get(0), all.get(2), all.get(1))),
                Reason.CHAIN_MISMATCH,
                "entry 2: listed after entry 3");
    }

    @Example
    void aStrangersSignatureOnTheCheckpointIsRefusedAndCanBeDropped() {
        NoteSigner witness = new NoteSigner("witness.example", NoteKey.Type.TIMESTAMPED, Council.key("witness"));
        Checkpoint checkpoint = LOG.ledger.checkpoint();
        var note = checkpoint.sign(7, TestLog.LOG_KEY, witness);
        Bundle with = new Bundle(note, LOG.bundle().steps(), List.of());
        bad(with, Reason.NOTE_UNVERIFIED, "2 signatures, only 1 by different known keys");
        ok(new BundleVerifier(PINNED)
                .verify(new Bundle(note.only(LOG.ledger.genesis().logKeys()), with.steps(), List.of()).bytes()));
        Bundle unsigned = new Bundle(checkpoint.sign(7, TestLog.FRESH_KEY), with.steps(), List.of());
        bad(unsigned, Reason.NOTE_UNVERIFIED, "not signed by the log itself");
    }

    /** A dishonest writer who controls the log key still cannot make a bundle without the signers. */
    @Example
    void aWriterCannotForgeAQuorum() {
        Artifact last = LOG.artifacts.getLast();
        Signer outsider =
                Signer.active("org:org0#mallory", "org0", Council.key("mallory").verifyKey());
        List<Approval> forged = new ArrayList<>(last.approvals().list());
        forged.set(
                1, Approval.sign(Council.statement(proposalOf(last), outsider.signerId(), 2), Council.key("mallory")));
        bad(
                relogged(rebind(last, Approvals.sorted(forged))),
                Reason.UNKNOWN_SIGNER,
                "entry 5: approval 2 of 2: signer org:org0#mallory is not in signer set 2");
        bad(
                relogged(rebind(last, new Approvals(last.approvals().list().subList(0, 1)))),
                Reason.QUORUM_FAILED,
                "entry 5: quorum: signer set 2: 1 of 2 approvals");
    }

    /** Nor can it have time or its own epoch run back where the bundle leaves an entry out. */
    @Example
    void aWriterCannotRunBackAcrossAGap() {
        Entry second = LOG.artifacts.get(1).entry();
        bad(gapped(second.committedAtMs() - 1, second.epoch()), Reason.CHAIN_MISMATCH, "entry 4: committed_at_ms");
        bad(gapped(second.committedAtMs(), second.epoch() - 1), Reason.CHAIN_MISMATCH, "or epoch runs back");
        ok(new BundleVerifier(PINNED)
                .verify(gapped(second.committedAtMs(), second.epoch()).bytes()));
    }

    /** Versions 1, 2 and 4, the last of them written at another time or in another epoch. */
    private static Bundle gapped(long committedAtMs, long epoch) {
        Artifact rotation = LOG.artifacts.get(3);
        Artifact changed = rebind(rotation, rotation.approvals(), committedAtMs, epoch);
        List<Artifact> history = new ArrayList<>(LOG.artifacts.subList(0, 3));
        history.add(changed);
        return relogged(history, List.of(history.get(0), history.get(1), changed));
    }

    /** Nor can it serve a value that no quorum approved, although it computes the state root. */
    @Example
    void aWriterCannotInventAValue() throws Refused {
        Descriptor real = LOG.ledger.state().get("svc.a").orElseThrow().descriptor();
        Bundle honest = LOG.bundle("svc.a");
        Bundle withoutWriter = Bundle.of(
                LOG.checkpoint(),
                LOG.ledger.tree().size(),
                LOG.ledger.tree(),
                List.of(LOG.artifacts.get(0), LOG.artifacts.get(3), LOG.artifacts.get(4)),
                honest.values());
        bad(
                withoutWriter,
                Reason.INCOMPLETE,
                "value svc.a: no approved change in the bundle makes it revision " + real.rev());
        Value swapped = new Value(Optional.of(real), LOG.ledger.state().prove("policy"));
        bad(
                new Bundle(honest.checkpoint(), honest.steps(), List.of(swapped)),
                Reason.STATE_MISMATCH,
                "value \"policy\": the descriptor is svc.a");
        Value hidden = new Value(Optional.empty(), LOG.ledger.state().prove("svc.a"));
        bad(new Bundle(honest.checkpoint(), honest.steps(), List.of(hidden)), Reason.STATE_MISMATCH, "does hold");
    }

    @Example
    void valuesOfEveryStateVerify() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(2), new Item("kept", Council.draft("k")));
        log.commit(
                new Body.Change(
                        List.of(new Op.Put("gone", 0, Council.draft("g")), new Op.Put("old", 0, Council.draft("o")))),
                COUNCIL,
                0,
                1);
        log.commit(new Body.Change(List.of(new Op.Remove("gone", 1), new Op.Deprecate("old", 1))), COUNCIL, 0, 1);
        List<Value> values = new ArrayList<>();
        for (String id : List.of("kept", "gone", "old", "never")) {
            values.add(new Value(
                    log.ledger.state().get(id).map(held -> held.descriptor()),
                    log.ledger.state().prove(id)));
        }
        Verdict.Ok ok = ok(new BundleVerifier(Trust.onFirstUse())
                .verify(Bundle.of(log.checkpoint(), 3, log.ledger.tree(), log.artifacts, values)
                        .bytes()));
        assertThat(ok.values().get("old"))
                .hasValueSatisfying(old -> assertThat(old.state()).isEqualTo(Descriptor.State.DEPRECATED));
        assertThat(ok.values().get("never")).isEmpty();
        assertThat(ok.values().get("gone"))
                .hasValueSatisfying(gone -> assertThat(gone.isLive()).isFalse());
        // Without the put, nobody approved the content that was deprecated.
        Bundle partial = Bundle.of(
                log.checkpoint(),
                3,
                log.ledger.tree(),
                List.of(log.artifacts.get(0), log.artifacts.get(2)),
                List.of(values.get(2)));
        bad(Trust.onFirstUse(), new String(partial.bytes(), StandardCharsets.UTF_8), Reason.INCOMPLETE, "value old");
    }

    private static TestLog log() {
        try {
            TestLog log = new TestLog(COUNCIL.set(2), new Item("policy", Council.draft("p")));
            log.commit(new Body.Change(List.of(new Op.Put("svc.a", 0, Council.draft("a")))), COUNCIL, 0, 1);
            log.commit(new Body.Change(List.of(new Op.Put("svc.b", 0, Council.draft("b")))), COUNCIL, 0, 1);
            SignerSet next = new SignerSet(
                    2,
                    2,
                    0,
                    1,
                    72,
                    false,
                    new SignerSet.Thresholds(2, 2, 2),
                    List.of(COUNCIL.signer(0).revokedAt(4), COUNCIL.signer(1), COUNCIL.signer(2)));
            log.commit(new Body.Rotate(log.base(), next), COUNCIL, 1, 2);
            log.commit(new Body.Change(List.of(new Op.Put("svc.c", 0, Council.draft("c")))), COUNCIL, 1, 2);
            return log;
        } catch (Refused e) {
            throw new AssertionError(e);
        }
    }

    private static dev.ron.ledger.model.Proposal proposalOf(Artifact artifact) {
        Entry entry = artifact.entry();
        return new dev.ron.ledger.model.Proposal(
                entry.proposalId(), artifact.payload(), entry.payloadB3(), entry.payloadLen(), "user:alice", "n", 0, 1);
    }

    private static Artifact rebind(Artifact artifact, Approvals approvals) {
        return rebind(
                artifact,
                approvals,
                artifact.entry().committedAtMs(),
                artifact.entry().epoch());
    }

    private static Artifact rebind(Artifact artifact, Approvals approvals, long committedAtMs, long epoch) {
        Entry e = artifact.entry();
        Entry entry = new Entry(
                e.origin(),
                e.version(),
                e.prevHash(),
                e.kind(),
                e.proposalId(),
                e.payloadB3(),
                e.payloadLen(),
                approvals.hash(),
                approvals.size(),
                e.signerSetVersion(),
                e.stateRoot(),
                committedAtMs,
                epoch);
        return new Artifact(entry, artifact.payload(), approvals);
    }

    /** The history with another last commit, its tree signed by the real log key. */
    private static Bundle relogged(Artifact last) {
        List<Artifact> history = new ArrayList<>(LOG.artifacts.subList(0, 4));
        history.add(last);
        return relogged(history, List.of(history.get(0), history.get(3), last));
    }

    private static Bundle relogged(List<Artifact> history, List<Artifact> steps) {
        Tree tree = Tree.EMPTY;
        for (Artifact artifact : history) {
            tree = tree.append(artifact.entry().leaf());
        }
        return Bundle.of(
                new Checkpoint(Council.ORIGIN, history.size(), tree.root()).sign(0, TestLog.LOG_KEY),
                tree.size(),
                tree,
                steps,
                List.of());
    }

    private static Bundle bundle(Tree tree, List<Artifact> artifacts) {
        return Bundle.of(LOG.checkpoint(), tree.size(), tree, artifacts, List.of());
    }

    private static Verdict.Ok ok(Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Ok.class);
        return (Verdict.Ok) verdict;
    }

    private static void bad(Bundle bundle, Reason reason, String part) {
        bad(new String(bundle.bytes(), StandardCharsets.UTF_8), reason, part);
    }

    private static void bad(String text, Reason reason, String part) {
        bad(PINNED, text, reason, part);
    }

    private static void bad(Trust trust, String text, Reason reason, String part) {
        Verdict verdict = new BundleVerifier(trust).verify(text.getBytes(StandardCharsets.UTF_8));
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Bad.class, bad -> {
            assertThat(bad.detail()).contains(part);
            assertThat(bad.reason()).isEqualTo(reason);
        });
    }
}
