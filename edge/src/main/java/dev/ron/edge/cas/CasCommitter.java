package dev.ron.edge.cas;

import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Deadline;

/** The single writer of a store: a lane of one thread, whose bounded queue is {@code cas_commit}. */
public final class CasCommitter {
    private final Cas cas;
    private final Lane lane;

    public CasCommitter(Cas cas, Lane lane) {
        if (lane.spec().threads() != 1) {
            throw new IllegalArgumentException(
                    lane.spec().name() + ": " + lane.spec().threads() + " threads (expected: 1, the single writer)");
        }
        this.cas = cas;
        this.lane = lane;
    }

    /** Commits and waits for it; a full queue is {@code busy}, at once. */
    public Committed commit(Deadline deadline, Staged staged) {
        return lane.call(deadline, () -> cas.commit(staged));
    }
}
