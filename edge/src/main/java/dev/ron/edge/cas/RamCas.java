package dev.ron.edge.cas;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The store of the micro profile: in memory, bounded, gone with the process.
 *
 * <p>What is being collected counts too: room is made for it as it comes, and where all of the store is taken by objects
 * on their way the next byte is refused. A blob lies in the blocks it was collected in, so that a commit copies nothing.
 */
public final class RamCas implements Cas {
    private static final int BLOCK = 64 << 10;

    private final Shelf<List<byte[]>> shelf;
    private final AtomicLong staged = new AtomicLong();

    public RamCas(long maxBytes, Clock clock) {
        this.shelf = new Shelf<>(maxBytes, clock);
    }

    @Override
    public Optional<Blob> open(Digest digest) {
        return shelf.use(digest).map(item -> new InMemory(digest, item.size(), item.value()));
    }

    @Override
    public boolean holds(Digest digest) {
        return shelf.holds(digest);
    }

    @Override
    public boolean isUnread(Digest digest) {
        return false;
    }

    @Override
    public void touch(Digest digest) {
        shelf.touch(digest);
    }

    @Override
    public Staged stage(long maxBytes) {
        return new Collected(Math.min(maxBytes, shelf.maxBytes()));
    }

    @Override
    public Committed commit(Staged object) {
        if (!(object instanceof Collected collected)) {
            throw new IllegalArgumentException("staged in another store");
        }
        // Whoever waited for this may have given up and closed it meanwhile: one of the two ends it.
        if (!collected.over.compareAndSet(false, true)) {
            throw new RonException(Code.CANCELED, "the object was given up before it was committed");
        }
        Digest digest = collected.finish();
        boolean duplicate = shelf.isDuplicate(digest, _ -> true);
        if (!duplicate) {
            shelf.add(digest, collected.size, List.copyOf(collected.blocks)); // its room was made as it came
        }
        staged.addAndGet(-collected.size);
        return new Committed(digest, collected.size, duplicate);
    }

    @Override
    public CasStats stats() {
        return shelf.stats();
    }

    @Override
    public void close() {
        shelf.clear();
    }

    /** All blocks but the last are full. */
    private record InMemory(Digest digest, long size, List<byte[]> blocks) implements Blob {
        @Override
        public void read(long offset, ByteBuffer into) {
            Objects.checkFromIndexSize(offset, into.remaining(), size);
            for (long at = offset; into.hasRemaining(); ) {
                int from = (int) (at % BLOCK);
                int n = Math.min(into.remaining(), BLOCK - from);
                into.put(blocks.get((int) (at / BLOCK)), from, n);
                at += n;
            }
        }

        @Override
        public void close() {}
    }

    private final class Collected implements Staged {
        private final long maxBytes;
        private final Blake3 hash = new Blake3();
        private final List<byte[]> blocks = new ArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private Optional<Digest> finished = Optional.empty();
        private long size;

        Collected(long maxBytes) {
            this.maxBytes = maxBytes;
        }

        @Override
        public void write(ByteBuffer more) {
            int length = more.remaining();
            if (length > maxBytes - size) {
                throw CasErrors.tooLarge(maxBytes);
            }
            hash.update(more.duplicate());
            int used = (int) (size % BLOCK);
            size += length;
            shelf.makeRoom(staged.addAndGet(length)); // what was evicted is garbage now, readers may still hold it
            while (more.hasRemaining()) {
                if (used == 0) {
                    blocks.add(new byte[BLOCK]);
                }
                int n = Math.min(more.remaining(), BLOCK - used);
                more.get(blocks.getLast(), used, n);
                used = (used + n) % BLOCK;
            }
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public Digest finish() {
            if (finished.isEmpty()) {
                finished = Optional.of(hash.finish());
                if (size % BLOCK > 0) {
                    blocks.add(Arrays.copyOf(blocks.removeLast(), (int) (size % BLOCK)));
                }
            }
            return finished.get();
        }

        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                staged.addAndGet(-size);
            }
        }
    }
}
