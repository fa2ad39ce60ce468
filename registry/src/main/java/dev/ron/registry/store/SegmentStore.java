package dev.ron.registry.store;

import dev.ron.registry.disk.Disk;
import dev.ron.registry.disk.DiskFile;
import dev.ron.registry.disk.NoSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;

/**
 * The log in files of a fixed size, one sync per batch.
 *
 * <p>Batch k+1 is never written before batch k is synced. So damage behind which a later batch stands is rot, and damage
 * behind which none stands is a batch that was being written: nobody was told of it, and it is cut off. A batch stands
 * where there are zeros on disk, so that a full disk shows before one is begun; the zeros for later batches go with the
 * sync of an earlier one and cost none of their own. A sync that failed is never tried again: the system may have
 * dropped what it could not write and would call the next one good.
 */
public final class SegmentStore implements Store {
    // Large enough that few batches carry zeros, small enough that those which do are not much slower.
    private static final long FILL_STEP = 1 << 20;

    private final Disk disk;
    private final long segmentBytes;
    private final AutoCloseable lock;
    private final ConcurrentSkipListMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
    private volatile Optional<StoreFault> trouble = Optional.empty();
    private volatile long next = 1;
    // What stands behind the last batch; it stays until something is written, so that who opens a log can first ask
    // whether it had come further.
    private boolean tail;
    private List<Layout.Piece> leftovers = List.of();

    private SegmentStore(Disk disk, long segmentBytes, AutoCloseable lock) {
        this.disk = disk;
        this.segmentBytes = segmentBytes;
        this.lock = lock;
    }

    /** Takes the folder for this process. */
    public static SegmentStore open(Disk disk, long segmentBytes) throws IOException {
        try {
            return new SegmentStore(disk, segmentBytes, disk.lock("LOCK"));
        } catch (Disk.Held held) {
            throw new StoreFault(StoreFault.Kind.LOCKED, String.valueOf(held.getMessage()), held);
        }
    }

    @Override
    public Recovery replay(Reader reader) throws IOException {
        // What a failed sync has dropped can still be read from the cache, and another sync would call it durable.
        if (trouble.filter(fault -> fault.kind() == StoreFault.Kind.FAILED).isPresent()) {
            throw again(trouble.get());
        }
        closeSegments();
        trouble = Optional.empty();
        next = 1;
        leftovers = List.of();
        Layout.settle(disk);
        long truncated = 0;
        List<Layout.Piece> pieces = Layout.pieces(disk);
        for (int i = 0; i < pieces.size() && trouble.isEmpty(); i++) {
            Layout.Piece piece = pieces.get(i);
            if (piece.first() != next) {
                if (anyBatchIn(pieces.subList(i, pieces.size()))) {
                    trouble = damaged(piece.name(), 0, "it follows batch " + (next - 1) + ", so batches are missing");
                } else {
                    leftovers = pieces.subList(i, pieces.size());
                }
                break;
            }
            Segment segment = Segment.open(disk, piece.first(), piece.suffix());
            segments.put(piece.first(), segment);
            truncated += scan(segment, piece, pieces.subList(i + 1, pieces.size()), reader);
        }
        if (trouble.isEmpty() && !segments.isEmpty()) {
            // The last batch may be in the page cache only; from now on it counts. If its sync has failed, the
            // system takes it for written, and would write it no more.
            try {
                segments.lastEntry().getValue().rewriteLast();
                segments.lastEntry().getValue().sync();
                disk.syncFolder(Segment.FOLDER);
            } catch (IOException e) {
                throw failed(e);
            }
        }
        tail = truncated > 0;
        return new Recovery(next - 1, truncated, trouble);
    }

    /** Reads one segment; answers how much of a begun batch stands behind the last. */
    private long scan(Segment segment, Layout.Piece piece, List<Layout.Piece> later, Reader reader) throws IOException {
        Window window = segment.window();
        Optional<String> problem = Optional.empty();
        while (problem.isEmpty()) {
            long at = segment.end();
            Optional<BatchCodec.Header> header = BatchCodec.header(window.at(at, BatchCodec.HEADER));
            if (header.isEmpty() || header.get().seq() != next) {
                break;
            }
            List<Rec> records;
            try {
                records = BatchCodec.decode(
                        header.get(), window.at(at, header.get().length()));
            } catch (BadBatch e) {
                break;
            }
            try {
                reader.batch(next, records);
                segment.added(header.get().length());
                next = header.get().seq() + 1;
            } catch (IOException e) {
                // Whole and wrong: no crash leaves that behind.
                problem = Optional.of(String.valueOf(e.getMessage()));
            }
        }
        long end = segment.end();
        long used = window.lastUsed(end);
        if (problem.isEmpty() && used > end && (window.hasBatchAfter(next - 1, end + 1) || anyBatchIn(later))) {
            problem = Optional.of("batch " + next + " is damaged and later ones are there");
        }
        if (problem.isPresent()) {
            trouble = damaged(piece.name(), end, problem.get());
            return 0;
        }
        return used - end;
    }

    private boolean anyBatchIn(List<Layout.Piece> pieces) throws IOException {
        for (Layout.Piece piece : pieces) {
            try (Segment segment = Segment.open(disk, piece.first(), piece.suffix())) {
                if (segment.window().hasBatchAfter(0, 0)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Cuts off what a crash had begun. */
    private void clearTail() throws StoreFault {
        try {
            Map.Entry<Long, Segment> last = segments.lastEntry();
            if (tail && last != null) {
                last.getValue().cut();
            }
            for (Layout.Piece piece : leftovers) {
                disk.delete(piece.name());
            }
            if (!leftovers.isEmpty()) {
                disk.syncFolder(Segment.FOLDER);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        tail = false;
        leftovers = List.of();
    }

    private static Optional<StoreFault> damaged(String file, long at, String problem) {
        return Optional.of(new StoreFault(
                StoreFault.Kind.CORRUPT,
                file + " is damaged at byte " + at + ": " + problem
                        + "; nothing was cut off, restore the file from a backup"));
    }

    @Override
    public long next() {
        return next;
    }

    @Override
    public void append(long expected, List<Rec> records) throws StoreFault {
        if (trouble.isPresent()) {
            throw again(trouble.get());
        }
        if (expected != next) {
            throw new StoreFault(StoreFault.Kind.MOVED, "batch " + expected + " (expected: " + next + ")");
        }
        ByteBuffer batch = BatchCodec.encode(expected, records);
        clearTail();
        int length = batch.remaining();
        Segment segment = roomFor(length);
        try {
            segment.write(batch);
        } catch (IOException e) {
            throw undo(segment, e);
        }
        zeroAhead(segment, segment.end() + length);
        try {
            segment.sync();
        } catch (IOException e) {
            throw failed(e);
        }
        segment.added(length);
        next = expected + 1;
    }

    /** The segment that takes the next batch, with zeros where it will stand. */
    private Segment roomFor(int length) throws StoreFault {
        Map.Entry<Long, Segment> last = segments.lastEntry();
        try {
            boolean roll = last == null
                    || last.getValue().isSkeleton()
                    || (last.getValue().end() > 0 && last.getValue().end() + length > segmentBytes);
            Segment segment = roll ? roll() : last.getValue();
            long need = segment.end() + length;
            if (need > segment.filled()) {
                segment.zero(stepAfter(need));
                segment.sync();
            }
            return segment;
        } catch (NoSpace e) {
            throw full(e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private long stepAfter(long position) {
        long step = Math.min(FILL_STEP, segmentBytes);
        return (position + step - 1) / step * step;
    }

    /** Has zeros ready before they are needed. */
    private void zeroAhead(Segment segment, long used) throws StoreFault {
        long enough = used + FILL_STEP / 2;
        if (enough <= segment.filled() || segment.filled() >= segmentBytes) {
            return;
        }
        try {
            segment.zero(stepAfter(enough));
        } catch (NoSpace _) {
            // This batch has its room; the one that finds none will say so.
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Segment roll() throws IOException {
        Segment segment = Segment.open(disk, next, Segment.WHOLE);
        try {
            disk.syncFolder(Segment.FOLDER);
        } catch (IOException e) {
            segment.close();
            throw e;
        }
        segments.put(next, segment);
        return segment;
    }

    // Not a byte of the batch may be left where the next one will stand.
    private StoreFault undo(Segment segment, IOException e) {
        try {
            segment.cut();
        } catch (IOException again) {
            return failed(again);
        }
        return e instanceof NoSpace full ? full(full) : failed(e);
    }

    private StoreFault full(NoSpace e) {
        Map.Entry<Long, Segment> last = segments.lastEntry();
        if (last != null) {
            try {
                last.getValue().cut();
            } catch (IOException again) {
                return failed(again);
            }
        }
        return new StoreFault(StoreFault.Kind.FULL, String.valueOf(e.getMessage()), e);
    }

    private static StoreFault again(StoreFault known) {
        return new StoreFault(known.kind(), String.valueOf(known.getMessage()), known);
    }

    private StoreFault failed(IOException e) {
        StoreFault fault = new StoreFault(StoreFault.Kind.FAILED, "the disk failed: " + e.getMessage(), e);
        trouble = Optional.of(fault);
        return fault;
    }

    @Override
    public Rec read(Ref ref) throws IOException {
        List<Rec> batch = batch(ref.batch());
        if (ref.place() >= batch.size()) {
            throw new StoreFault(StoreFault.Kind.CORRUPT, "batch " + ref.batch() + " is shorter than it was");
        }
        return batch.get(ref.place());
    }

    /** A file of the log that is written no more. */
    public record Sealed(long first, long next, long bytes) {}

    /** The files that still have everything, oldest first; the one being written is not among them. */
    public List<Sealed> whole() {
        return segments.headMap(segments.isEmpty() ? 0L : segments.lastKey()).values().stream()
                .filter(segment -> !segment.isSkeleton())
                .map(segment -> new Sealed(segment.first(), segment.next(), segment.end()))
                .toList();
    }

    /** The records of a batch. */
    public List<Rec> batch(long seq) throws IOException {
        while (true) {
            Map.Entry<Long, Segment> segment = segments.floorEntry(seq);
            if (segment == null) {
                throw Store.noSuch(seq);
            }
            try {
                return segment.getValue().batch(seq);
            } catch (ClosedChannelException e) {
                // Pruning has put another file in its place: that one has the batch too.
                if (segment.equals(segments.floorEntry(seq))) {
                    throw e;
                }
            }
        }
    }

    /**
     * Rewrites a file without what {@code lean} takes out; every record keeps its place.
     *
     * <p>The new file is whole and synced before the old one goes: after a crash there is one or both, and both means that
     * the old one is deleted at the next start.
     */
    public void prune(Sealed sealed, UnaryOperator<Rec> lean) throws IOException {
        String name = Segment.name(sealed.first(), Segment.SKELETON);
        String temp = name + ".tmp";
        List<Integer> lengths = new ArrayList<>();
        try (DiskFile out = disk.open(temp)) {
            out.truncate(0);
            long at = 0;
            for (long seq = sealed.first(); seq < sealed.next(); seq++) {
                ByteBuffer bytes =
                        BatchCodec.encode(seq, batch(seq).stream().map(lean).toList());
                lengths.add(bytes.remaining());
                at += bytes.remaining();
                out.write(bytes, at - bytes.limit());
            }
            out.sync();
        }
        disk.rename(temp, name);
        disk.syncFolder(Segment.FOLDER);
        Segment skeleton = Segment.open(disk, sealed.first(), Segment.SKELETON);
        lengths.forEach(skeleton::added);
        Segment old = segments.put(sealed.first(), skeleton);
        if (old != null) {
            old.close();
        }
        disk.delete(Segment.name(sealed.first(), Segment.WHOLE));
        disk.syncFolder(Segment.FOLDER);
    }

    @Override
    public Optional<StoreFault> trouble() {
        return trouble;
    }

    @Override
    public long bytes() {
        return segments.values().stream().mapToLong(Segment::end).sum();
    }

    @Override
    public int segments() {
        return segments.size();
    }

    private void closeSegments() throws IOException {
        for (Segment segment : segments.values()) {
            segment.close();
        }
        segments.clear();
    }

    @Override
    public void close() throws IOException {
        closeSegments();
        try {
            lock.close();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
