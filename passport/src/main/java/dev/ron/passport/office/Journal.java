package dev.ron.passport.office;

import java.io.IOException;
import java.util.List;

/** Keeps entries in order; used by one thread at a time. */
public interface Journal extends AutoCloseable {
    /** Everything kept so far. */
    List<JournalEntry> read() throws IOException;

    /** Adds a batch; it survives a crash once this has returned, whole or not at all. */
    void append(List<JournalEntry> batch) throws IOException;

    /** The number of the last batch. */
    long batches();

    /** True when the file has grown so much that rewriting it pays. */
    boolean wantsRewrite();

    /** Replaces everything by these entries. */
    void rewrite(List<JournalEntry> all) throws IOException;

    @Override
    void close() throws IOException;

    /** Keeps nothing, for a process that forgets its keys as well. */
    static Journal none() {
        return new Journal() {
            @Override
            public List<JournalEntry> read() {
                return List.of();
            }

            @Override
            public void append(List<JournalEntry> batch) {
                // the state in RAM is the only copy
            }

            @Override
            public long batches() {
                return 0;
            }

            @Override
            public boolean wantsRewrite() {
                return false;
            }

            @Override
            public void rewrite(List<JournalEntry> all) {
                // nothing to rewrite
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }
}
