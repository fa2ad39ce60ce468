package dev.ron.edge.serve;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ron.edge.mount.Mounts;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is answered from memory, at most so many bytes of it; keys carry the version of what they name. */
public final class HotCache {
    private final Cache<Object, HotObject> objects;

    public HotCache(long maxBytes) {
        objects = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Object _, HotObject object) -> object.weight())
                .executor(Runnable::run) // a few list moves; no pool of its own for that
                .removalListener((@Nullable Object _, @Nullable HotObject object, RemovalCause _) -> {
                    if (object != null) {
                        object.release();
                    }
                })
                .build();
    }

    @Nullable
    HotObject get(Object key) {
        return objects.getIfPresent(key);
    }

    void put(Object key, HotObject object) {
        objects.put(key, object);
    }

    /** Forgets the tiles of packs that are no longer mounted; looks at every key. */
    public void forgetTilesBut(Mounts mounts) {
        Set<Long> mounted = mounts.generations();
        objects.asMap().keySet().removeIf(key -> key instanceof TileKey tile && !mounted.contains(tile.generation()));
    }

    public long count() {
        return objects.estimatedSize();
    }

    public long bytes() {
        return objects.policy()
                .eviction()
                .map(bound -> bound.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** Lets go of everything. */
    public void clear() {
        objects.invalidateAll();
        objects.cleanUp();
    }
}
