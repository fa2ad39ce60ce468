package dev.ron.ledger.bundle;

import dev.ron.ledger.Reason;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.Checkpoint;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What came out of checking a bundle. */
public sealed interface Verdict {
    /**
     * Everything holds.
     *
     * @param genesis the hash all trust rests on; show it unless it was pinned
     * @param subject the commit the bundle is about
     * @param signers the set in force after it
     * @param values what the state at the subject holds under each id; empty for an id it does not hold
     * @param seenAtSeconds the latest time a known key cosigned the checkpoint, when one did
     */
    record Ok(
            B3 genesis,
            Checkpoint checkpoint,
            Artifact subject,
            SignerSet signers,
            Map<String, Optional<Descriptor>> values,
            OptionalLong seenAtSeconds)
            implements Verdict {
        public Ok {
            values = Map.copyOf(values);
        }

        /** True when the subject was the newest commit of the checkpoint, so that its values are the current ones. */
        public boolean isHead() {
            return subject.entry().version() == checkpoint.size();
        }
    }

    /** Something does not hold; the detail says where and what. */
    record Bad(Reason reason, String detail) implements Verdict {}
}
