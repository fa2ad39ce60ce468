package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.LogKeys;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A council whose members sign for tests. */
public final class Signers {
    public static final String ORIGIN = "test.example/registry";
    public static final long NOW = 1_760_000_000_000L;
    public static final long HOUR = 3_600_000L;
    public static final Turn.By ANN = new Turn.By("acme/ann", "corr");

    public final LogKeys logKeys = LogKeys.generate(new SecureRandom());
    private final List<SignerKey> keys = new ArrayList<>();
    private final int m;
    private int nonce;

    public Signers(int m, int n) {
        this.m = m;
        for (int i = 0; i < n; i++) {
            keys.add(SignerKey.generate("org:o" + i + "#s" + i, false, new SecureRandom()));
        }
    }

    public SignerKey key(int member) {
        return keys.get(member);
    }

    public ChangeSet genesis() {
        return ChangeSet.of(new Body.Genesis(
                ORIGIN,
                logKeys.verifiers(ORIGIN),
                SignerSet.initial(m, keys.stream().map(SignerKey::signer).toList()),
                List.of()));
    }

    public Registry create(Store store) throws IOException {
        return create(store, Limits.DEFAULT);
    }

    public Registry create(Store store, Limits limits) throws IOException {
        try {
            Store.Recovery _ = store.replay((seq, records) -> {});
            return Registry.create(store, limits, Optional::empty, genesis(), NOW);
        } catch (Refused e) {
            throw new AssertionError(e);
        }
    }

    public static Draft draft(String value) {
        return Draft.of("service", new ObjWriter().put("url", value).end());
    }

    public Proposal put(String id, long expectRev, String value) {
        return propose(new Body.Change(List.of(new Op.Put(id, expectRev, draft(value)))));
    }

    public Proposal propose(Body body) {
        return Proposal.of(ChangeSet.of(body), ANN.actor(), "n" + nonce++, NOW, NOW + 72 * HOUR);
    }

    public Approval approve(int member, Proposal proposal, long setVersion) {
        return vote(member, proposal, setVersion, Statement.Decision.APPROVE);
    }

    public Approval vote(int member, Proposal proposal, long setVersion, Statement.Decision decision) {
        SignerKey key = keys.get(member);
        return Approval.sign(
                new Statement(
                        ORIGIN,
                        proposal.proposalId(),
                        proposal.payloadB3(),
                        decision,
                        key.signerId(),
                        setVersion,
                        NOW,
                        NOW + 48 * HOUR),
                key.signing());
    }

    /** The vote as a command, as a listener makes it: verified, or refused here. */
    public static Command.Approve cast(Registry registry, Proposal proposal, Approval approval) {
        try {
            return new Command.Approve(
                    proposal.proposalId(), Admitted.of(registry.view().ledger().ballot(proposal, NOW + 1), approval));
        } catch (Refused e) {
            throw Refusals.of(e);
        }
    }

    /** A set in which one member is replaced by a new one. */
    public Body.Rotate replacing(Registry registry, int member, SignerKey added) {
        View view = registry.view();
        SignerSet before = view.ledger().signers();
        List<Signer> signers = new ArrayList<>();
        for (Signer signer : before.signers()) {
            boolean leaves = signer.signerId().equals(keys.get(member).signerId());
            signers.add(leaves ? signer.revokedAt(view.version() + 1) : signer);
        }
        signers.add(added.signer());
        return new Body.Rotate(
                new Base(view.version(), view.ledger().headHash()),
                new SignerSet(before.setVersion() + 1, m, 0, 1, 72, false, before.thresholds(), signers));
    }

    /** Proposes, has the first m approve, commits; each in a batch of its own. */
    public long commit(Registry registry, Proposal proposal) throws IOException {
        take(registry, new Command.Propose(proposal));
        for (int i = 0; i < m; i++) {
            long set = registry.view().ledger().signers().setVersion();
            take(registry, cast(registry, proposal, approve(i, proposal, set)));
        }
        Answer.Committed answer =
                (Answer.Committed) take(registry, new Command.Commit(proposal.proposalId(), Optional.empty()));
        return answer.entry().version();
    }

    /** One command in a batch of its own. */
    public static Answer take(Registry registry, Command command) throws IOException {
        Turn turn = registry.begin(NOW + 1);
        try {
            return turn.take(command, ANN);
        } finally {
            registry.write(turn);
        }
    }
}
