package dev.ron.edge.fill;

import java.nio.ByteBuffer;
import java.util.Optional;

/** What a fetch brought: an object in the store, or one that must not be kept and is here whole. */
public sealed interface Filled {
    /**
     * In the store.
     *
     * @param ready held until everyone who waits now was told
     */
    record Kept(Stored stored, Optional<Ready> ready) implements Filled {}

    /** For those who wait now, and nobody else. */
    record Passing(String mediaType, ByteBuffer bytes) implements Filled {}
}
