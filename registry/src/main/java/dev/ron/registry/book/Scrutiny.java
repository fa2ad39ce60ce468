package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.registry.store.Store;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log again from its beginning and checks everything, signatures and audit chain included.
 *
 * <p>Approvals outlive pruning, so every vote is checked, that on a payload which is gone too. What such a payload did to the
 * state is not known; the state is checked again from the head on, whose entry vouches for it.
 */
public final class Scrutiny {
    private final Registry registry;
    private @Nullable Ledger ledger;
    private @Nullable AuditRecord audit;
    private boolean stateKnown = true;

    public Scrutiny(Registry registry) {
        this.registry = registry;
    }

    /** The last version that was checked. */
    public long verified() {
        return ledger == null ? 0 : ledger.head().version();
    }

    /** Checks one commit and one audit record; false when there is nothing left. */
    public boolean step() throws IOException, Refused {
        boolean commits = commit();
        boolean audits = auditRecord();
        return commits || audits;
    }

    private boolean commit() throws IOException, Refused {
        Ledger before = ledger;
        View view = registry.view();
        long next = verified() + 1;
        if (next > view.version()) {
            return false;
        }
        Optional<Artifact> artifact = registry.artifact(next);
        if (before == null) {
            ledger = Ledger.open(artifact.orElseThrow(() -> Store.noSuch(1)));
            return true;
        }
        stateKnown &= artifact.isPresent();
        Ledger after;
        if (artifact.isEmpty()) {
            after = before.follow(registry.entry(next), registry.approvals(next), Rigor.SIGNATURES);
        } else if (stateKnown) {
            after = before.accept(artifact.get(), Rigor.SIGNATURES);
        } else {
            after = before.follow(artifact.get(), Rigor.SIGNATURES);
        }
        if (!stateKnown && next == view.version()) {
            after = after.withState(view.ledger().state());
            stateKnown = true;
        }
        ledger = after;
        return true;
    }

    private boolean auditRecord() throws IOException, Refused {
        AuditRecord before = audit;
        long next = before == null ? 1 : before.seq() + 1;
        if (next > registry.view().auditSeq()) {
            return false;
        }
        AuditRecord record = registry.audit(next);
        if (before != null) {
            record.mustFollow(before);
        }
        audit = record;
        return true;
    }
}
