package dev.ron.registry.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the log in RAM, for the micro profile and for tests: it forgets everything when the process ends. */
public final class MemoryStore implements Store {
    private final Map<Long, List<Rec>> batches = new ConcurrentHashMap<>();
    private volatile long bytes;

    @Override
    public Recovery replay(Reader reader) throws IOException {
        for (long seq = 1; seq < next(); seq++) {
            reader.batch(seq, batch(seq));
        }
        return new Recovery(batches.size(), 0, Optional.empty());
    }

    @Override
    public long next() {
        return batches.size() + 1L;
    }

    @Override
    public void append(long expected, List<Rec> records) throws StoreFault {
        if (expected != next()) {
            throw new StoreFault(StoreFault.Kind.MOVED, "batch " + expected + " (expected: " + next() + ")");
        }
        long before = bytes;
        batches.put(expected, List.copyOf(records));
        bytes = before + BatchCodec.length(records);
    }

    @Override
    public Rec read(Ref ref) throws StoreFault {
        return batch(ref.batch()).get(ref.place());
    }

    private List<Rec> batch(long seq) throws StoreFault {
        List<Rec> batch = batches.get(seq);
        if (batch == null) {
            throw Store.noSuch(seq);
        }
        return batch;
    }

    @Override
    public Optional<StoreFault> trouble() {
        return Optional.empty();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int segments() {
        return 1;
    }

    @Override
    public void close() {}
}
