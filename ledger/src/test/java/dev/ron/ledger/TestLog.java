package dev.ron.ledger;

import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.bundle.Value;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.state.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A growing log with its keys, for tests. */
public final class TestLog {
    public static final NoteSigner LOG_KEY =
            new NoteSigner(Council.ORIGIN, NoteKey.Type.NOTE, Council.key("log identity"));
    public static final NoteSigner FRESH_KEY =
            new NoteSigner(Council.ORIGIN, NoteKey.Type.TIMESTAMPED, Council.key("log freshness"));

    public final List<Artifact> artifacts = new ArrayList<>();
    public Ledger ledger;
    private int nonce;

    public TestLog(SignerSet first, Item... items) throws Refused {
        Body.Genesis genesis =
                new Body.Genesis(Council.ORIGIN, List.of(LOG_KEY.key(), FRESH_KEY.key()), first, List.of(items));
        Artifact artifact = Ledger.genesis(ChangeSet.of(genesis), Council.NOW);
        artifacts.add(artifact);
        ledger = Ledger.open(artifact);
    }

    public Base base() {
        return new Base(ledger.head().version(), ledger.headHash());
    }

    public Proposal propose(Body body) {
        return Proposal.of(
                ChangeSet.of(body), "user:alice", "n" + nonce++, Council.NOW, Council.NOW + 72 * Council.HOUR);
    }

    public Artifact commit(Body body, Council council, int... members) throws Refused {
        Proposal proposal = propose(body);
        return commit(proposal, council.approve(proposal, ledger.signers().setVersion(), members));
    }

    public Artifact commit(Proposal proposal, List<dev.ron.ledger.model.Approval> approvals) throws Refused {
        Ledger.Commit commit = ledger.commit(proposal, approvals, Council.NOW + nonce, 1);
        ledger = commit.after();
        artifacts.add(commit.artifact());
        return commit.artifact();
    }

    public SignedNote checkpoint() {
        return ledger.checkpoint().sign(Council.NOW / 1000, LOG_KEY, FRESH_KEY);
    }

    /** A bundle of the head, with proof of the current value of each id. */
    public Bundle bundle(String... ids) {
        TreeSet<Long> versions = new TreeSet<>(ledger.stepsOf(ledger.head().version()));
        List<Value> values = new ArrayList<>();
        for (String id : ids) {
            var held = ledger.state().get(id);
            held.ifPresent(value -> versions.add(value.version()));
            values.add(new Value(held.map(Held::descriptor), ledger.state().prove(id)));
        }
        List<Artifact> steps = versions.stream()
                .map(version -> artifacts.get((int) (version - 1)))
                .toList();
        return Bundle.of(checkpoint(), ledger.tree().size(), ledger.tree(), steps, values);
    }
}
