package dev.ron.edge.cas;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.kernel.time.Clock;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The store of the micro profile: in memory, bounded, gone with the process. */
public final class RamCas implements Cas {
    private final Shelf<byte[]> shelf;

    public RamCas(long maxBytes, Clock clock) {
        this.shelf = new Shelf<>(maxBytes, clock);
    }

    @Override
    public Optional<Blob> open(Digest digest) {
        return shelf.use(digest).map(item -> new InMemory(digest, ByteBuffer.wrap(item.value())));
    }

    @Override
    public boolean holds(Digest digest) {
        return shelf.holds(digest);
    }

    @Override
    public Staged stage(long maxBytes) {
        return new Collected(Math.min(maxBytes, shelf.maxBytes()));
    }

    @Override
    public Committed commit(Staged staged) {
        if (!(staged instanceof Collected collected)) {
            throw new IllegalArgumentException("staged in another store");
        }
        Digest digest = collected.finish();
        byte[] bytes = collected.bytes.toByteArray();
        boolean duplicate = shelf.isDuplicate(digest);
        if (!duplicate) {
            shelf.makeRoom(bytes.length); // what was evicted is garbage now, readers may still hold it
            shelf.add(digest, bytes.length, bytes);
        }
        collected.close();
        return new Committed(digest, bytes.length, duplicate);
    }

    @Override
    public CasStats stats() {
        return shelf.stats();
    }

    @Override
    public void close() {
        shelf.clear();
    }

    private record InMemory(Digest digest, ByteBuffer bytes) implements Blob {
        @Override
        public long size() {
            return bytes.limit();
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            int n = into.remaining();
            into.put(into.position(), bytes, Math.toIntExact(offset), n).position(into.position() + n);
        }

        @Override
        public void close() {}
    }

    private static final class Collected implements Staged {
        private final long maxBytes;
        private final Blake3 hash = new Blake3();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Optional<Digest> finished = Optional.empty();

        Collected(long maxBytes) {
            this.maxBytes = maxBytes;
        }

        @Override
        public void write(ByteBuffer more) {
            if (more.remaining() > maxBytes - bytes.size()) {
                throw CasErrors.tooLarge(maxBytes);
            }
            byte[] piece = new byte[more.remaining()];
            more.get(piece);
            hash.update(piece);
            bytes.writeBytes(piece);
        }

        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public Digest finish() {
            Digest digest = finished.orElseGet(hash::finish);
            finished = Optional.of(digest);
            return digest;
        }

        @Override
        public void close() {
            bytes.reset();
        }
    }
}
