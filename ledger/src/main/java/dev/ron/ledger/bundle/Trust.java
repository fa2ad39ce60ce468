package dev.ron.ledger.bundle;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.note.NoteKey;
import java.util.List;
import java.util.Optional;

/**
 * What a reader already believes.
 *
 * <p>The hash of the genesis entry is the root of everything: it names the log's keys and the first signer set. Without
 * it a bundle shows only that it agrees with itself.
 */
public record Trust(Optional<B3> genesis, List<NoteKey> logKeys) {
    public Trust {
        logKeys = List.copyOf(logKeys);
    }

    /** Pins the genesis; the log's keys are then the ones it names. */
    public static Trust pinned(B3 genesis) {
        return new Trust(Optional.of(genesis), List.of());
    }

    /** Believes the bundle's own genesis: for a first look, which must then show its hash to a person. */
    public static Trust onFirstUse() {
        return new Trust(Optional.empty(), List.of());
    }
}
