package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import dev.ron.kernel.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * What a store holds, its size and when each blob was last used.
 *
 * <p>Only the committer adds, and it makes room first: the sum can therefore never exceed the bound. Readers only stamp
 * the time of use, and take out what they find damaged.
 */
final class Shelf<V> {
    /** Room is made down to this share of the bound, so that not every commit has to look for the oldest. */
    private static final double LOW_WATER = 0.9;

    private final long maxBytes;
    private final Clock clock;
    private final Map<Digest, Item<V>> items = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder committed = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder damaged = new LongAdder();

    static final class Item<V> {
        private final Digest digest;
        private final long size;
        private final V value;
        private volatile long usedNanos; // racing stamps are all true enough

        private Item(Digest digest, long size, V value, long usedNanos) {
            this.digest = digest;
            this.size = size;
            this.value = value;
            this.usedNanos = usedNanos;
        }

        Digest digest() {
            return digest;
        }

        long size() {
            return size;
        }

        V value() {
            return value;
        }
    }

    Shelf(long maxBytes, Clock clock) {
        this.maxBytes = maxBytes;
        this.clock = clock;
    }

    long maxBytes() {
        return maxBytes;
    }

    boolean holds(Digest digest) {
        return items.containsKey(digest);
    }

    Optional<Item<V>> find(Digest digest) {
        return Optional.ofNullable(items.get(digest));
    }

    /** Finds a blob and stamps it as used. */
    Optional<Item<V>> use(Digest digest) {
        Item<V> item = items.get(digest);
        if (item == null) {
            return Optional.empty();
        }
        item.usedNanos = clock.nanos();
        return Optional.of(item);
    }

    /** Stamps a blob as used, if it is there. */
    void touch(Digest digest) {
        Item<V> item = items.get(digest);
        if (item != null) {
            item.usedNanos = clock.nanos();
        }
    }

    /** Committer: true if the blob is there already and as it should be, and counts so; else it is taken out. */
    boolean isDuplicate(Digest digest, Predicate<Item<V>> stands) {
        Optional<Item<V>> there = use(digest);
        if (there.filter(stands).isPresent()) {
            duplicates.increment();
            return true;
        }
        there.ifPresent(this::remove);
        return false;
    }

    /** Takes out the least recently used until {@code size} more bytes fit; the caller deletes them. */
    List<Item<V>> makeRoom(long size) {
        if (size > maxBytes) {
            throw CasErrors.full(size, maxBytes);
        }
        if (bytes.get() + size <= maxBytes) {
            return List.of();
        }
        record Stamped<V>(Item<V> item, long used) {} // the stamps move while we sort
        List<Item<V>> oldest = items.values().stream()
                .map(item -> new Stamped<>(item, item.usedNanos))
                .sorted(Comparator.comparingLong(Stamped::used))
                .map(Stamped::item)
                .toList();
        long goal = Math.max((long) (maxBytes * LOW_WATER), size);
        List<Item<V>> evicted = new ArrayList<>();
        for (Item<V> item : oldest) {
            if (bytes.get() + size <= goal) {
                break;
            }
            if (remove(item)) {
                evictions.increment();
                evicted.add(item);
            }
        }
        return evicted;
    }

    /** Committer: adds a blob for which room was made. */
    void add(Digest digest, long size, V value) {
        put(new Item<>(digest, size, value, clock.nanos()));
        committed.increment();
    }

    /** Before the store is open: adds what was found on disk, in the order of its use. */
    void restore(Digest digest, long size, V value) {
        put(new Item<>(digest, size, value, Long.MIN_VALUE + items.size()));
    }

    private void put(Item<V> item) {
        bytes.addAndGet(item.size());
        items.put(item.digest(), item);
    }

    /** Any thread: takes out a damaged blob; true for the one caller that did it. */
    boolean removeDamaged(Item<V> item) {
        boolean removed = remove(item);
        if (removed) {
            damaged.increment();
        }
        return removed;
    }

    private boolean remove(Item<V> item) {
        boolean removed = items.remove(item.digest(), item);
        if (removed) {
            bytes.addAndGet(-item.size());
        }
        return removed;
    }

    void clear() {
        items.clear();
        bytes.set(0);
    }

    CasStats stats() {
        return new CasStats(
                bytes.get(), maxBytes, items.size(), committed.sum(), duplicates.sum(), evictions.sum(), damaged.sum());
    }
}
