package dev.ron.registry.stream;

import dev.ron.registry.book.Committed;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The newest commits, by version; one task adds, event loops read at their own place. */
final class Ring {
    static final int SIZE = 1024;

    private final AtomicReferenceArray<@Nullable StreamEvent> events = new AtomicReferenceArray<>(SIZE);
    private volatile long newest;
    private volatile long oldest = 1;

    void start(long head) {
        newest = head;
        oldest = head + 1;
    }

    void add(Committed commit) {
        events.set(slot(commit.version()), new StreamEvent(commit));
        // After the event: who sees the number finds what it names.
        newest = commit.version();
        oldest = Math.max(oldest, commit.version() - SIZE + 1);
    }

    /** Puts in what was committed before the first reader came. */
    void preload(Committed commit) {
        if (oldest > commit.version()) {
            oldest = commit.version();
        }
        events.set(slot(commit.version()), new StreamEvent(commit));
        newest = Math.max(newest, commit.version());
    }

    long newest() {
        return newest;
    }

    /** Whether a reader can go on after this version without missing anything. */
    boolean reaches(long version) {
        return version >= oldest - 1 && version <= newest;
    }

    /** The event of a version; null once it was overwritten. */
    @Nullable
    StreamEvent at(long version) {
        StreamEvent event = events.get(slot(version));
        return event != null && event.version() == version ? event : null;
    }

    private static int slot(long version) {
        return (int) (version % SIZE);
    }
}
