package dev.ron.passport.office;

import dev.ron.token.keys.FeedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The latest revocations by number, for verifiers that only lack a few; one writer, any number of readers.
 *
 * <p>An entry is in its slot before the snapshot that counts it is published. A reader that finds another number in a
 * slot has been overtaken by a whole lap and takes the full set instead.
 */
public final class FeedLog {
    static final int CAPACITY = 16_384;

    private final AtomicReferenceArray<FeedEntry> ring;

    FeedLog(int capacity) {
        ring = new AtomicReferenceArray<>(capacity);
    }

    void add(FeedEntry entry) {
        ring.set(slot(entry.seq()), entry);
    }

    /** The entries after {@code since} up to {@code seq}; empty if some are no longer here. */
    public Optional<List<FeedEntry>> between(long since, long seq) {
        if (since > seq || seq - since > ring.length()) {
            return Optional.empty();
        }
        List<FeedEntry> entries = new ArrayList<>((int) (seq - since));
        for (long number = since + 1; number <= seq; number++) {
            FeedEntry entry = ring.get(slot(number));
            if (entry == null || entry.seq() != number) {
                return Optional.empty();
            }
            entries.add(entry);
        }
        return Optional.of(entries);
    }

    private int slot(long seq) {
        return (int) (seq % ring.length());
    }
}
