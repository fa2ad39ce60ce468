package dev.ron.registry.book;

import dev.ron.ledger.state.State;
import java.io.IOException;
import java.util.Optional;

/** A state kept beside the log: it spares replaying the payloads up to its version, and replaces those that were pruned. */
public record Savepoint(long version, State state) {

    /** Where the newest one is found. */
    @FunctionalInterface
    public interface Source {
        Optional<Savepoint> newest() throws IOException;
    }
}
