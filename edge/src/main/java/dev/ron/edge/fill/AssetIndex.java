package dev.ron.edge.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which object is under which key, and which keys were found to have none; both bounded. */
public final class AssetIndex {
    private static final int MOST = 1_000_000;
    private static final int MOST_MISSING = 65_536;

    private final Clock clock;
    private final Cache<String, Stored> stored =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
    private final Cache<String, Missing> missing = Caffeine.newBuilder()
            .maximumSize(MOST_MISSING)
            .executor(Runnable::run)
            .build();

    private record Missing(RonException why, long untilNanos) {}

    public AssetIndex(Clock clock) {
        this.clock = clock;
    }

    @Nullable
    Stored get(AssetKey key) {
        return stored.getIfPresent(key.toString());
    }

    void put(AssetKey key, Stored object) {
        stored.put(key.toString(), object);
        missing.invalidate(key.toString());
    }

    void remove(AssetKey key) {
        stored.invalidate(key.toString());
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

    /** Forgets every key that fits; how many objects that were. The store keeps the bytes until it needs the room. */
    public int purge(Predicate<String> key) {
        missing.asMap().keySet().removeIf(key);
        int before = stored.asMap().size();
        stored.asMap().keySet().removeIf(key);
        return before - stored.asMap().size();
    }

    public long size() {
        return stored.estimatedSize();
    }
}
