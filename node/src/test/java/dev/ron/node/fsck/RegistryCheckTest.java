package dev.ron.node.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.node.Findings;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.book.Admitted;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Turn;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.task.Retention;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Notary;
import dev.ron.service.config.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that a node leaves behind only after a long life, or that somebody has written into. */
class RegistryCheckTest {
    private static final String ORIGIN = "fsck.example/registry";
    private static final long NOW = 1_760_000_000_000L;
    private static final long HOUR = 3_600_000L;
    private static final int SEGMENT = 12 << 10;
    private static final Turn.By ANN = new Turn.By("acme/ann", "corr");

    @TempDir
    Path folder;

    private final SignerKey signer = SignerKey.generate("org:acme#ann", false, new SecureRandom());
    private final LogKeys keys = LogKeys.generate(new SecureRandom());
    private RealDisk disk;
    private SegmentStore store;
    private Registry registry;

    @BeforeEach
    void begin() throws Exception {
        disk = new RealDisk(folder.resolve("registry"));
        keys.write(disk);
        store = SegmentStore.open(disk, SEGMENT);
        Store.Recovery _ = store.replay((seq, records) -> {});
        registry = Registry.create(
                store,
                Limits.DEFAULT,
                Optional::empty,
                ChangeSet.of(new Body.Genesis(
                        ORIGIN, keys.verifiers(ORIGIN), SignerSet.initial(1, List.of(signer.signer())), List.of())),
                NOW);
    }

    @AfterEach
    void end() throws Exception {
        store.close();
    }

    private static Proposal put(int rev) {
        Draft draft = Draft.of(
                "service",
                new ObjWriter().put("url", "http://" + "x".repeat(900) + rev).end());
        return Proposal.of(
                ChangeSet.of(new Body.Change(List.of(new Op.Put("svc.a", rev, draft)))),
                ANN.actor(),
                "n" + rev,
                NOW,
                NOW + HOUR);
    }

    private Approval vote(Proposal proposal) {
        return Approval.sign(
                new Statement(
                        ORIGIN,
                        proposal.proposalId(),
                        proposal.payloadB3(),
                        Statement.Decision.APPROVE,
                        signer.signerId(),
                        1,
                        NOW,
                        NOW + HOUR),
                signer.signing());
    }

    private void commit(int rev) throws Exception {
        Proposal proposal = put(rev);
        Turn turn = registry.begin(NOW);
        turn.take(new Command.Propose(proposal), ANN);
        turn.take(
                new Command.Approve(
                        proposal.proposalId(),
                        Admitted.of(registry.view().ledger().ballot(proposal, NOW), vote(proposal))),
                ANN);
        turn.take(new Command.Commit(proposal.proposalId(), Optional.empty()), ANN);
        registry.write(turn);
    }

    /** Every hash fits; the signature is one for something else. */
    private void commitForged(int rev) throws Exception {
        Proposal proposal = put(rev);
        Approval forged =
                new Approval(vote(proposal).statement(), vote(put(rev + 1)).signatures());
        Entry entry = registry.view()
                .ledger()
                .commit(proposal, List.of(forged), NOW, 0)
                .artifact()
                .entry();
        long seq = store.next();
        Json.Obj record = new ObjWriter()
                .put("t", "registry.commit/v1")
                .put("entry", entry.toJson())
                .put("proposal", new Ref(seq, 0).packed())
                .put("approvals", new Json.Arr(List.of(new Json.Int(new Ref(seq, 1).packed()))))
                .end();
        store.append(
                seq,
                List.of(
                        new Rec(Rec.Type.PROPOSAL, CanonicalJson.bytes(proposal.toJson())),
                        new Rec(Rec.Type.APPROVAL, forged.bytes()),
                        new Rec(Rec.Type.ENTRY, CanonicalJson.bytes(record))));
        registry.reopen();
    }

    private String check() throws Exception {
        store.close();
        Findings findings = new Findings();
        new RegistryCheck(folder.resolve("witness")).check(folder.resolve("registry"), findings);
        return findings.all().stream()
                .map(finding -> finding.verdict() + " " + finding.fact())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aLogWithPrunedPayloadsIsWhole() throws Exception {
        byte[] _ = prune();
        assertThat(check())
                .contains("OK version 21, every batch, hash and signature holds")
                .doesNotContain("BAD");
    }

    // pruning is killed before the old file is deleted  ->  whole, and the check deletes neither
    @Test
    void aLogWhosePruningWasCutShortIsWhole() throws Exception {
        Files.write(firstFile(), prune());
        assertThat(check())
                .contains("OK version 21, every batch, hash and signature holds")
                .doesNotContain("BAD");
        assertThat(firstFile()).exists();
    }

    private Path firstFile() {
        return folder.resolve("registry/log/seg-00000000000000000001.rgl");
    }

    /** Has the first file pruned; answers what was in it. */
    private byte[] prune() throws Exception {
        for (int rev = 0; rev < 20; rev++) {
            commit(rev);
        }
        Notary notary = new Notary(keys, registry.view(), Clock.system(), Duration.ofMinutes(1));
        new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
        Counter ctl = new Counter(
                new Mailbox<>(Topology.mailbox("ctl", 64)),
                new Mailbox<>(Topology.mailbox("bell", 1)),
                "ctl",
                Meter.none());
        RegistryConfig.Retention bySize =
                new RegistryConfig.Retention(RegistryConfig.Policy.BY_SIZE, Duration.ofHours(1), 100, Bytes.of(1));
        byte[] whole = Files.readAllBytes(firstFile());
        assertThat(new Retention(registry, store, () -> bySize, ctl, Clock.system()).pruneOne(21))
                .isTrue();
        return whole;
    }

    @Test
    void aVoteThatNobodySignedIsFound() throws Exception {
        commit(0);
        commitForged(1);
        assertThat(check()).contains("BAD ", "does not match").doesNotContain("every batch, hash and signature");
    }
}
