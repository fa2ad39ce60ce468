package dev.ron.ledger.state;

import dev.ron.ledger.model.Descriptor;

/** A descriptor with the version of the log that last changed it, and its row, hashed and written once. */
public record Held(Descriptor descriptor, Row row, String rowText, long version) {
    static Held of(Descriptor descriptor, long version) {
        Row row = Row.of(descriptor);
        return new Held(descriptor, row, row.text(), version);
    }

    String id() {
        return descriptor.id();
    }
}
