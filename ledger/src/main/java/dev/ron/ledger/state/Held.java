package dev.ron.ledger.state;

import dev.ron.ledger.model.Descriptor;
import org.jspecify.annotations.Nullable;

/** A descriptor with the version of the log that last changed it, and its row, hashed once. */
public final class Held {
    private final Descriptor descriptor;
    private final long version;
    private final Row row;

    private Held(Descriptor descriptor, long version) {
        this.descriptor = descriptor;
        this.version = version;
        this.row = Row.of(descriptor);
    }

    static Held of(Descriptor descriptor, long version) {
        return new Held(descriptor, version);
    }

    public Descriptor descriptor() {
        return descriptor;
    }

    public long version() {
        return version;
    }

    Row row() {
        return row;
    }

    String id() {
        return descriptor.id();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Held held && descriptor.equals(held.descriptor) && version == held.version;
    }

    @Override
    public int hashCode() {
        return 31 * descriptor.hashCode() + Long.hashCode(version);
    }
}
