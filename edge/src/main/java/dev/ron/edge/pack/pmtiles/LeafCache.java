package dev.ron.edge.pack.pmtiles;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Leaf directories of all archives that are open, under one bound on what they weigh together. */
public final class LeafCache {
    /** For an archive that is opened alone. */
    static final long ALONE_BYTES = 32L << 20;

    private final AtomicLong archives = new AtomicLong();
    private final Cache<Key, Directory> leaves;

    private record Key(long archive, long offset) {}

    public LeafCache(long maxBytes) {
        leaves = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key _, Directory directory) -> directory.weight())
                .executor(Runnable::run) // eviction is a few list moves; no pool of its own for that
                .build();
    }

    /** A number for an archive's leaves, which no other archive has. */
    long enter() {
        return archives.incrementAndGet();
    }

    @Nullable
    Directory get(long archive, long offset) {
        return leaves.getIfPresent(new Key(archive, offset));
    }

    void put(long archive, long offset, Directory leaf) {
        leaves.put(new Key(archive, offset), leaf);
    }

    /** Forgets the leaves of an archive; looks at every key. */
    void leave(long archive) {
        leaves.asMap().keySet().removeIf(key -> key.archive() == archive);
    }

    /** What is held at this moment. */
    long bytes() {
        leaves.cleanUp();
        return leaves.asMap().values().stream().mapToLong(Directory::weight).sum();
    }
}
