package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.quorum.Ballot;

/**
 * An approval or rejection whose signatures hold.
 *
 * <p>Nothing behind it looks at a signature again, so verifying is the only way to make one: whatever races with whatever,
 * an unverified vote cannot reach the committer.
 */
public final class Admitted {
    private final Approval approval;

    private Admitted(Approval approval) {
        this.approval = approval;
    }

    public static Admitted of(Ballot ballot, Approval approval) throws Refused {
        ballot.verify(approval);
        return new Admitted(approval);
    }

    public Approval approval() {
        return approval;
    }
}
