package dev.ron.kernel.testkit;

import dev.ron.kernel.task.CloseWatch;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Notes what is alive when it is made, and later finds what has been added and left behind. */
public final class LeakCheck {
    // Threads end a moment after whoever waited for their work goes on.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<Long, String> threads = LiveThreads.now();
    private final Map<String, String> files = OpenFiles.now();
    private final long forgotten = CloseWatch.forgotten();

    /** Fails with the names of threads, files and sockets that were left behind, and on a forgotten close. */
    public void assertNothingLeft() {
        if (!Eventually.within(
                        PATIENCE, () -> newThreads().isEmpty() && newFiles().isEmpty())
                || CloseWatch.forgotten() != forgotten) {
            throw new AssertionError("left behind: threads " + newThreads() + ", files " + newFiles() + ", "
                    + (CloseWatch.forgotten() - forgotten) + " forgotten close");
        }
    }

    private Collection<String> newThreads() {
        Map<Long, String> now = LiveThreads.now();
        now.keySet().removeAll(threads.keySet());
        return now.values();
    }

    private Collection<String> newFiles() {
        Map<String, String> now = new TreeMap<>(OpenFiles.now());
        now.keySet().removeAll(files.keySet());
        return now.keySet();
    }
}
