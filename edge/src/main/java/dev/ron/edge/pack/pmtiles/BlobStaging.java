package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Distinct blobs of a new archive, in the order they came, until their final order is known.
 *
 * <p>The file loses its name as soon as it is open: however the process ends, nothing of it remains. What is known of a
 * blob are a few numbers in columns; two blobs are equal when half of their digests is, which is 128 bits.
 */
final class BlobStaging implements AutoCloseable {
    private static final int FIRST = 1024;

    private final FileChannel file;
    private long[] digests = new long[2 * FIRST];
    private long[] offsets = new long[FIRST];
    private int[] lengths = new int[FIRST];
    private int[] table = new int[2 * FIRST]; // a blob's number plus one at the place of its digest, or the next free
    private int size;
    private long end;

    BlobStaging(Path path) throws IOException {
        this.file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The number of the blob with these bytes, stored now if it is new. */
    int add(byte[] bytes) throws IOException {
        Digest digest = Blake3.hash(bytes);
        int place = place(digest.a(), digest.b());
        if (table[place] != 0) {
            return table[place] - 1;
        }
        if (size == lengths.length) {
            grow();
            place = place(digest.a(), digest.b());
        }
        for (ByteBuffer out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
            file.write(out, end + out.position());
        }
        digests[2 * size] = digest.a();
        digests[2 * size + 1] = digest.b();
        offsets[size] = end;
        lengths[size] = bytes.length;
        end += bytes.length;
        table[place] = ++size;
        return size - 1;
    }

    /** Where in the table the digest is, or has its free place. */
    private int place(long a, long b) {
        int place = (int) a & (table.length - 1);
        while (table[place] != 0 && (digests[2 * table[place] - 2] != a || digests[2 * table[place] - 1] != b)) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }

    private void grow() {
        int larger = size + (size >> 1);
        digests = Arrays.copyOf(digests, 2 * larger);
        offsets = Arrays.copyOf(offsets, larger);
        lengths = Arrays.copyOf(lengths, larger);
        if (larger > table.length / 4 * 3) {
            table = new int[2 * table.length];
            for (int blob = 0; blob < size; blob++) {
                table[place(digests[2 * blob], digests[2 * blob + 1])] = blob + 1;
            }
        }
    }

    /** Takes no more blobs, and keeps no digests. */
    void seal() {
        digests = new long[0];
        table = new int[0];
    }

    int size() {
        return size;
    }

    int length(int blob) {
        return lengths[blob];
    }

    /** Copies the blobs in the given order; neighbours go in one transfer. */
    void copyTo(FileChannel out, int[] order) throws IOException {
        int i = 0;
        while (i < order.length) {
            long first = offsets[order[i]];
            long length = lengths[order[i]];
            i++;
            while (i < order.length && offsets[order[i]] == first + length) {
                length += lengths[order[i]];
                i++;
            }
            long done = 0;
            while (done < length) {
                done += file.transferTo(first + done, length - done, out);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
