package dev.ron.edge.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which object is under which key, and which keys were found to have none; both bounded by the memory they take, since
 * the keys are what callers write.
 */
public final class AssetIndex implements AutoCloseable {
    /** Of an entry beside its texts. */
    private static final int OVERHEAD = 480;
    /** How many purges are remembered; a fetch during which there were more is not kept. */
    static final int PURGES = 64;

    private final Cache<String, Stored> stored;
    private final Cache<String, Missing> missing;
    private Optional<IndexKeeper> keeper = Optional.empty();
    private Consumer<Predicate<String>> onPurge = _ -> {};
    private final AtomicReference<Purges> purges = new AtomicReference<>(new Purges(0, List.of()));

    private record Missing(RonException why, Duration howLong) {}

    /** How many purges there were, and what the last of them meant, the latest at the end. */
    private record Purges(long count, List<Predicate<String>> last) {
        Purges with(Predicate<String> key) {
            return new Purges(
                    count + 1,
                    Stream.concat(last.stream().skip(last.size() < PURGES ? 0 : 1), Stream.of(key))
                            .toList());
        }

        /** Whether one of those after the first {@code since} means this key, or may have: too many were since. */
        boolean mayMean(String key, long since) {
            long later = count - since;
            return later > last.size()
                    || last.stream().skip(last.size() - later).anyMatch(purged -> purged.test(key));
        }
    }

    /** @param maxBytes for what is here; what is missing may take a quarter of it more */
    AssetIndex(long maxBytes, Clock clock) {
        stored = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher(AssetIndex::weight)
                // A purge will not find it here, so the file must not keep it for the next start either.
                .evictionListener((_, _, _) -> keeper.ifPresent(IndexKeeper::fellBehind))
                .executor(Runnable::run)
                .build();
        missing = Caffeine.newBuilder()
                .maximumWeight(maxBytes / 4)
                .weigher((String key, Missing known) ->
                        OVERHEAD + key.length() + known.why().detail().length())
                .expireAfter(Expiry.writing((String _, Missing known) -> known.howLong()))
                .ticker(clock::nanos)
                .executor(Runnable::run)
                .build();
    }

    private static int weight(String key, Stored object) {
        int tag = object.etag().map(String::length).orElse(0);
        return OVERHEAD + key.length() + object.mediaType().length() + tag;
    }

    /** Before the service is up: has changes written down. */
    void keep(Optional<IndexKeeper> changes) {
        keeper = changes;
    }

    /** Before the service is up: who is told of a purge before it looks. */
    void onPurge(Consumer<Predicate<String>> told) {
        onPurge = told;
    }

    /** Before the service is up: takes what was written down. */
    void restore(Map<String, Stored> objects) {
        stored.putAll(objects);
        stored.cleanUp(); // there may be less room than there was
    }

    Map<String, Stored> all() {
        return stored.asMap();
    }

    @Nullable
    Stored get(AssetKey key) {
        return stored.getIfPresent(key.toString());
    }

    /** How often something was purged; to be asked before that on which a later {@link #put} rests. */
    long purges() {
        return purges.get().count();
    }

    /** Takes an object, unless it was purged after the first {@code since} purges. */
    void put(AssetKey key, Stored object, long since) {
        String name = key.toString();
        if (purgedSince(key, since)) {
            return; // who comes after the purge must not see it for a moment either
        }
        // A purge makes itself known before it looks: it finds what was put before that, and what is put later is taken
        // out here.
        stored.put(name, object);
        if (purges.get().mayMean(name, since)) {
            if (stored.asMap().remove(name, object)) {
                // It may have replaced what the purge meant, and the purge then found neither.
                keeper.ifPresent(changes -> changes.remove(name));
            }
            return;
        }
        missing.invalidate(name);
        keeper.ifPresent(changes -> changes.put(name, object));
    }

    /** Whether it may have been purged after the first {@code since} purges. */
    boolean purgedSince(AssetKey key, long since) {
        return purges.get().mayMean(key.toString(), since);
    }

    void remove(AssetKey key) {
        if (stored.asMap().remove(key.toString()) != null) {
            keeper.ifPresent(changes -> changes.remove(key.toString()));
        }
    }

    /** Why there was nothing a moment ago. */
    Optional<RonException> missing(AssetKey key) {
        return Optional.ofNullable(missing.getIfPresent(key.toString())).map(Missing::why);
    }

    void miss(AssetKey key, RonException why, Duration howLong) {
        if (!howLong.isZero()) {
            // Without its cause, whose stack would weigh more than the rest.
            RonException alone = new RonException(
                    why.code(), why.reason(), why.detail(), why.retryAfter().orElse(null), null);
            missing.put(key.toString(), new Missing(alone, howLong));
        }
    }

    /**
     * Forgets every key that fits, also for the next start; how many objects that were. The store keeps the bytes until it
     * needs the room.
     */
    public int purge(Predicate<String> key, Deadline deadline) {
        purges.updateAndGet(before -> before.with(key));
        onPurge.accept(key);
        missing.asMap().keySet().removeIf(key);
        List<String> gone = new ArrayList<>();
        for (String name : stored.asMap().keySet()) {
            if (key.test(name) && stored.asMap().remove(name) != null) {
                gone.add(name);
            }
        }
        keeper.ifPresent(changes -> changes.forget(gone, deadline));
        return gone.size();
    }

    @Override
    public void close() {
        keeper.ifPresent(IndexKeeper::close);
    }

    public long size() {
        return stored.estimatedSize();
    }
}
