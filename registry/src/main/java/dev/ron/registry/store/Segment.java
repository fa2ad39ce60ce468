package dev.ron.registry.store;

import dev.ron.registry.disk.Disk;
import dev.ron.registry.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file of the log, named by its first batch; the writer adds batches while others read those before. */
final class Segment implements AutoCloseable {
    static final String FOLDER = "log";
    static final String WHOLE = ".rgl";
    static final String SKELETON = ".skl";

    private static final Pattern NAME = Pattern.compile("seg-(\\d{20})(\\.rgl|\\.skl)");
    private static final int ZEROS = 256 << 10;

    private final long first;
    private final boolean skeleton;
    private final DiskFile file;
    // The array is replaced when it grows and the count is written last: who has read the count finds what it counts.
    private volatile long[] offsets = new long[64];
    private volatile int count;
    private volatile long end;
    // Both are the writer's: there are zeros up to the second, and they are on disk up to the first.
    private long filled;
    private long zeroed;

    private Segment(long first, boolean skeleton, DiskFile file) throws IOException {
        this.first = first;
        this.skeleton = skeleton;
        this.file = file;
        this.filled = file.size();
        this.zeroed = filled;
    }

    static String name(long first, String suffix) {
        return String.format(Locale.ROOT, "%s/seg-%020d%s", FOLDER, first, suffix);
    }

    /** The number in a segment's name. */
    static Optional<Long> first(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    static Segment open(Disk disk, long first, String suffix) throws IOException {
        return new Segment(first, suffix.equals(SKELETON), disk.open(name(first, suffix)));
    }

    long first() {
        return first;
    }

    /** The sequence behind its last batch. */
    long next() {
        return first + count;
    }

    long end() {
        return end;
    }

    boolean isSkeleton() {
        return skeleton;
    }

    Window window() throws IOException {
        return new Window(file);
    }

    /** Counts a batch that stands at the end. */
    void added(int length) {
        long[] known = offsets;
        int at = count;
        long from = end;
        if (at == known.length) {
            known = Arrays.copyOf(known, known.length * 2);
        }
        known[at] = from;
        offsets = known;
        end = from + length;
        count = at + 1;
    }

    /** How far there are zeros on disk: what is written up to there needs no more room. */
    long filled() {
        return filled;
    }

    /** Writes zeros up to a position; the next sync puts them on disk. */
    void zero(long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
        while (zeroed < to) {
            int length = (int) Math.min(ZEROS, to - zeroed);
            file.write(zeros.clear().limit(length), zeroed);
            zeroed += length;
        }
    }

    void write(ByteBuffer batch) throws IOException {
        file.write(batch, end);
    }

    /** Writes the last batch once more where it stands, so that the next sync has something to write. */
    void rewriteLast() throws IOException {
        if (count > 0) {
            long last = next() - 1;
            file.write(BatchCodec.encode(last, batch(last)), offsets[count - 1]);
        }
    }

    void sync() throws IOException {
        file.sync();
        filled = zeroed;
    }

    /** Cuts off what stands behind the last batch. */
    void cut() throws IOException {
        file.truncate(end);
        file.sync();
        filled = end;
        zeroed = end;
    }

    List<Rec> batch(long seq) throws IOException {
        long index = seq - first;
        int known = count;
        if (index < 0 || index >= known) {
            throw Store.noSuch(seq);
        }
        long[] at = offsets;
        long from = at[(int) index];
        long to = index + 1 < known ? at[(int) index + 1] : endOf(from);
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        file.read(bytes, from);
        bytes.flip();
        BatchCodec.Header header = BatchCodec.header(bytes)
                .filter(found -> found.seq() == seq)
                .orElseThrow(() -> new StoreFault(StoreFault.Kind.CORRUPT, "batch " + seq + " is damaged"));
        try {
            return BatchCodec.decode(header, bytes);
        } catch (BadBatch e) {
            throw new StoreFault(StoreFault.Kind.CORRUPT, String.valueOf(e.getMessage()), e);
        }
    }

    private long endOf(long from) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(BatchCodec.HEADER);
        file.read(head, from);
        return from
                + BatchCodec.header(head.flip())
                        .orElseThrow(() -> new StoreFault(StoreFault.Kind.CORRUPT, "the last batch is damaged"))
                        .length();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
