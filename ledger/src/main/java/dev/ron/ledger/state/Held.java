package dev.ron.ledger.state;

import dev.ron.ledger.model.Descriptor;
import org.jspecify.annotations.Nullable;

/** A descriptor with the versions of the log that last changed it and that wrote its content, and its row, hashed once. */
public final class Held {
    private final Descriptor descriptor;
    private final long version;
    private final long contentVersion;
    private final Row row;

    private Held(Descriptor descriptor, long version, long contentVersion) {
        this.descriptor = descriptor;
        this.version = version;
        this.contentVersion = contentVersion;
        this.row = Row.of(descriptor);
    }

    public static Held of(Descriptor descriptor, long version, long contentVersion) {
        return new Held(descriptor, version, contentVersion);
    }

    public Descriptor descriptor() {
        return descriptor;
    }

    public long version() {
        return version;
    }

    /** The version that wrote the content: the same, but for a deprecated descriptor; 0 where that is not known. */
    public long contentVersion() {
        return contentVersion;
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
