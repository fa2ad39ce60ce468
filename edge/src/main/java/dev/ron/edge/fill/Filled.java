package dev.ron.edge.fill;

import dev.ron.edge.digest.Digest;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What a fetch brought: an object in the store, or one that must not be kept and is here whole. */
public sealed interface Filled {
    /** The object in hand, held until everyone who waits now was told. */
    Optional<Ready> ready();

    /**
     * In the store.
     *
     * @param written whether this fetch wrote it, so that it is in the page cache
     * @param ready nothing where the store has lost it already
     */
    record Kept(Stored stored, boolean written, Optional<Ready> ready) implements Filled {}

    /** For those who wait now, and nobody else; hashed once, by the worker. */
    record Passing(String mediaType, ByteBuffer bytes, Digest digest, Optional<Ready> ready) implements Filled {}
}
