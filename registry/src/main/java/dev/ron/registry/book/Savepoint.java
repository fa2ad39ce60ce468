package dev.ron.registry.book;

import dev.ron.ledger.state.State;

/** A state kept beside the log: it spares replaying the payloads up to its version, and replaces those that were pruned. */
public record Savepoint(long version, State state) {}
