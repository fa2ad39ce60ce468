package dev.ron.edge.fill;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the index down as it changes, on the lane of the committer, so that what was fetched is known after a restart.
 *
 * <p>A change that cannot be written costs one fetch after the next start, no answer now. Only what was purged must stay
 * away: whoever purges waits until that is written.
 */
final class IndexKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IndexKeeper.class);
    private static final int SLACK = 4096;

    private final Optional<IndexJournal> journal; // none where there is no file that can be written
    private final Lane lane;
    private final Supplier<Map<String, Stored>> all;
    private volatile boolean behind; // something is gone, and the journal does not say so

    private IndexKeeper(Optional<IndexJournal> journal, Lane lane, Supplier<Map<String, Stored>> all) {
        this.journal = journal;
        this.lane = lane;
        this.all = all;
    }

    /** Brings the index back and follows it; without a file that can be written, the index lives in memory only. */
    static IndexKeeper open(Path path, Lane lane, AssetIndex index, Predicate<Stored> isHere) {
        try {
            return opened(path, lane, index, isHere);
        } catch (IOException e) {
            LOG.error("the index of fetched objects cannot be read and is set aside: {}", e.toString());
        }
        try {
            // Else it would come back, with all that is purged until then, once it can be read again.
            Files.move(path, path.resolveSibling(path.getFileName() + ".unreadable"), REPLACE_EXISTING);
            return opened(path, lane, index, isHere);
        } catch (IOException e) {
            LOG.error("the index of fetched objects cannot be kept: {}", e.toString());
            return new IndexKeeper(Optional.empty(), lane, index::all);
        }
    }

    private static IndexKeeper opened(Path path, Lane lane, AssetIndex index, Predicate<Stored> isHere)
            throws IOException {
        Map<String, Stored> found = new LinkedHashMap<>();
        IndexJournal journal = IndexJournal.open(path, found);
        int written = found.size();
        found.values().removeIf(isHere.negate());
        index.restore(found);
        IndexKeeper keeper = new IndexKeeper(Optional.of(journal), lane, index::all);
        keeper.behind = index.all().size() < written;
        return keeper;
    }

    void put(String key, Stored object) {
        submit(false, file -> {
            // A purge that took it out may have been before us in the lane.
            if (object.equals(all.get().get(key))) {
                file.put(key, object);
                tidy(file);
            }
        });
    }

    /** Something fell out for want of room: the next purge writes down what is left, for it does not find that key. */
    void fellBehind() {
        behind = true;
    }

    /** Where this cannot be written, the next purge sees to it: it does not find the key any more. */
    void remove(String key) {
        submit(true, file -> {
            file.remove(key);
            tidy(file);
        });
    }

    /** A line of the journal. */
    @FunctionalInterface
    private interface Change {
        void write(IndexJournal file) throws IOException;
    }

    private void submit(boolean gone, Change change) {
        journal.ifPresent(file -> lane.submit(() -> {
                    change.write(file);
                    return file;
                })
                .whenAnswered(outcome -> {
                    if (outcome instanceof Reply.Failed<IndexJournal>(RonException why)) {
                        if (gone) {
                            behind = true;
                        }
                        LOG.warn("the index of fetched objects was not written: {}", why.toString());
                    }
                }));
    }

    /** Writes down that these keys are gone, and those for which that failed before; waits for it. */
    void forget(List<String> keys, Deadline deadline) {
        try {
            lane.call(deadline, () -> writeGone(keys));
        } catch (RonException e) {
            behind = true;
            throw e;
        }
    }

    private List<String> writeGone(List<String> keys) {
        try {
            IndexJournal file = journal.orElseThrow(() -> new IOException("there is no journal"));
            if (behind) {
                behind = false; // first: who fails meanwhile is not overlooked
                file.rewrite(all.get());
                return keys;
            }
            for (String key : keys) {
                file.remove(key);
            }
            tidy(file);
            file.sync();
            return keys;
        } catch (IOException e) {
            behind = true; // also where whoever called has given up
            throw new RonException(
                    Code.STORAGE_BUSY, "cas_io", "what was purged is gone, but may be back after a restart", null, e);
        }
    }

    /** Most records may be overtaken by later ones; then those that count are written anew. */
    private void tidy(IndexJournal file) throws IOException {
        Map<String, Stored> now = all.get();
        if (file.records() > 2L * now.size() + SLACK) {
            file.rewrite(now);
        }
    }

    @Override
    public void close() {
        try {
            if (journal.isPresent()) {
                journal.get().close();
            }
        } catch (IOException e) {
            LOG.warn("closing the index of fetched objects: {}", e.toString());
        }
    }
}
