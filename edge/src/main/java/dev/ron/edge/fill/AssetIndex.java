package dev.ron.edge.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which object is under which key, and which keys were found to have none; both bounded. */
public final class AssetIndex implements AutoCloseable {
    private static final int MOST = 1_000_000;
    private static final int MOST_MISSING = 65_536;

    private final Clock clock;
    private final Cache<String, Stored> stored =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
    private final Cache<String, Missing> missing = Caffeine.newBuilder()
            .maximumSize(MOST_MISSING)
            .executor(Runnable::run)
            .build();

    private Optional<IndexKeeper> keeper = Optional.empty();

    private record Missing(RonException why, long untilNanos) {}

    public AssetIndex(Clock clock) {
        this.clock = clock;
    }

    /** Before the service is up: has changes written down. */
    void keep(Optional<IndexKeeper> changes) {
        keeper = changes;
    }

    /** Before the service is up: takes what was written down. */
    void restore(Map<String, Stored> objects) {
        stored.putAll(objects);
    }

    Map<String, Stored> all() {
        return stored.asMap();
    }

    @Nullable
    Stored get(AssetKey key) {
        return stored.getIfPresent(key.toString());
    }

    void put(AssetKey key, Stored object) {
        String name = key.toString();
        stored.put(name, object);
        missing.invalidate(name);
        keeper.ifPresent(changes -> changes.put(name, object));
    }

    void remove(AssetKey key) {
        if (stored.asMap().remove(key.toString()) != null) {
            keeper.ifPresent(changes -> changes.remove(key.toString()));
        }
    }

    /** Why there was nothing a moment ago. */
    Optional<RonException> missing(AssetKey key) {
        Missing known = missing.getIfPresent(key.toString());
        return known != null && clock.nanos() - known.untilNanos() < 0 ? Optional.of(known.why()) : Optional.empty();
    }

    void miss(AssetKey key, RonException why, Duration howLong) {
        if (!howLong.isZero()) {
            missing.put(key.toString(), new Missing(why, clock.nanos() + howLong.toNanos()));
        }
    }

    /**
     * Forgets every key that fits, also for the next start; how many objects that were. The store keeps the bytes until it
     * needs the room.
     */
    public int purge(Predicate<String> key, Deadline deadline) {
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
