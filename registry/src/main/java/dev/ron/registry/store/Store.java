package dev.ron.registry.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A log of batches with one writer.
 *
 * <p>Every call may wait for the disk. {@link #replay} comes first, then appends by one thread; reads may come from
 * another.
 */
public interface Store extends AutoCloseable {

    /** Takes what the log holds, from its beginning. */
    @FunctionalInterface
    interface Reader {
        /** @throws IOException where the batch does not fit what came before: it and all behind it count as damaged */
        void batch(long seq, List<Rec> records) throws IOException;
    }

    /** Reads everything; what a crash had begun to write stays until the next append. */
    Recovery replay(Reader reader) throws IOException;

    /** The sequence of the next batch. */
    long next();

    /**
     * Makes a batch durable; when it returns, it is.
     *
     * @param expected the sequence the writer believes to be next: compare and set
     */
    void append(long expected, List<Rec> records) throws StoreFault;

    /** A record that was appended or replayed. */
    Rec read(Ref ref) throws IOException;

    /** Why nothing can be written, where that is so. */
    Optional<StoreFault> trouble();

    long bytes();

    int segments();

    @Override
    void close() throws IOException;

    /** Not there now; while the log is read anew, that is no damage. */
    static StoreFault noSuch(long batch) {
        return new StoreFault(StoreFault.Kind.ABSENT, "there is no batch " + batch);
    }

    /**
     * What a start found.
     *
     * @param truncatedBytes what a crash had begun to write; the next append cuts it off
     * @param damage where the log is rotten
     */
    record Recovery(long batches, long truncatedBytes, Optional<StoreFault> damage) {}
}
