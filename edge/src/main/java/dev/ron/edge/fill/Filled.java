package dev.ron.edge.fill;

import java.nio.ByteBuffer;

/** What a fetch brought: an object in the store, or one that must not be kept and is here whole. */
public sealed interface Filled {
    /** In the store. */
    record Kept(Stored stored) implements Filled {}

    /** For those who wait now, and nobody else. */
    record Passing(String mediaType, ByteBuffer bytes) implements Filled {}
}
