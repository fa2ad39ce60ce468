package dev.ron.ledger.state;

import dev.ron.ledger.model.Descriptor;

/** A descriptor with its row and the version of the log that last changed it. */
public record Held(Descriptor descriptor, Row row, long version) {
    static Held of(Descriptor descriptor, long version) {
        return new Held(descriptor, Row.of(descriptor), version);
    }

    String id() {
        return descriptor.id();
    }
}
