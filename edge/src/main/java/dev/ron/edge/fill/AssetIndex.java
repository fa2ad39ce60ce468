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
    private final AtomicReference<Purges> purges = new AtomicReference<>(new Purges(0, List.of(), List.of()));

    private record Missing(RonException why, Duration howLong) {}

    /**
     * How many purges there were, what the last of them meant, the latest at the end, and which are under way, by how many
     * there had been before.
     */
    private record Purges(long count, List<Predicate<String>> last, List<Long> open) {
        Purges begun(Predicate<String> key) {
            return new Purges(
                    count + 1,
                    Stream.concat(last.stream().skip(last.size() < PURGES ? 0 : 1), Stream.of(key))
                            .toList(),
                    Stream.concat(open.stream(), Stream.of(count)).toList());
        }

        Purges ended(long before) {
            return new Purges(
                    count, last, open.stream().filter(one -> one != before).toList());
        }

        /** Those that are over, but for what came after one that is under way. */
        long over() {
            return open.isEmpty() ? count : open.getFirst();
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
    void keep(IndexKeeper changes) {
        keeper = Optional.of(changes);
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
        return stored.getIfPresent(key.name());
    }

    /**
     * How many purges are over; to be asked before that on which a later {@link #put} rests. One that is under way may not
     * have come to that yet.
     */
    long purges() {
        return purges.get().over();
    }

    /** Takes an object, unless it was purged after the first {@code since} purges. */
    void put(AssetKey key, Stored object, long since) {
        String name = key.name();
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
        return purges.get().mayMean(key.name(), since);
    }

    void remove(AssetKey key) {
        if (stored.asMap().remove(key.name()) != null) {
            keeper.ifPresent(changes -> changes.remove(key.name()));
        }
    }

    /** Takes an object out that the store has lost, and nothing that has come in its place. */
    void remove(AssetKey key, Stored lost) {
        if (stored.asMap().remove(key.name(), lost)) {
            keeper.ifPresent(changes -> changes.remove(key.name()));
        }
    }

    /** Why there was nothing a moment ago. */
    Optional<RonException> missing(AssetKey key) {
        return Optional.ofNullable(missing.getIfPresent(key.name())).map(Missing::why);
    }

    /** Remembers why there is nothing, unless it was purged after the first {@code since} purges. */
    void miss(AssetKey key, RonException why, Duration howLong, long since) {
        if (!howLong.isZero()) {
            // Without its cause, whose stack would weigh more than the rest.
            RonException alone = new RonException(
                    why.code(), why.reason(), why.detail(), why.retryAfter().orElse(null), null);
            missing.put(key.name(), new Missing(alone, howLong));
            if (purgedSince(key, since)) {
                missing.invalidate(key.name()); // as in put
            }
        }
    }

    /**
     * Forgets every key that fits, also for the next start; how many objects that were. The store keeps the bytes until it
     * needs the room.
     */
    public int purge(Predicate<String> key, Deadline deadline) {
        long before = purges.getAndUpdate(now -> now.begun(key)).count();
        List<String> gone;
        try {
            onPurge.accept(key);
            missing.asMap().keySet().removeIf(key);
            gone = takeOut(key);
        } finally {
            purges.updateAndGet(now -> now.ended(before));
        }
        keeper.ifPresent(changes -> changes.forget(gone, deadline));
        return gone.size();
    }

    private List<String> takeOut(Predicate<String> key) {
        List<String> gone = new ArrayList<>();
        for (String name : stored.asMap().keySet()) {
            if (key.test(name) && stored.asMap().remove(name) != null) {
                gone.add(name);
            }
        }
        return gone;
    }

    @Override
    public void close() {
        keeper.ifPresent(IndexKeeper::close);
    }

    public long size() {
        return stored.estimatedSize();
    }
}
