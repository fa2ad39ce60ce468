package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Distinct blobs of a new archive, in the order they came, until their final order is known. */
final class BlobStaging implements AutoCloseable {
    private final Path path;
    private final FileChannel file;
    private final Map<Digest, Integer> known = new HashMap<>();
    private final List<Blob> blobs = new ArrayList<>();
    private long end;

    record Blob(long offset, int length) {}

    BlobStaging(Path path) throws IOException {
        this.path = path;
        this.file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** The number of the blob with these bytes, stored now if it is new. */
    int add(byte[] bytes) throws IOException {
        int next = blobs.size();
        Integer seen = known.putIfAbsent(Blake3.hash(bytes), next);
        if (seen != null) {
            return seen;
        }
        for (ByteBuffer out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
            file.write(out, end + out.position());
        }
        blobs.add(new Blob(end, bytes.length));
        end += bytes.length;
        return next;
    }

    int size() {
        return blobs.size();
    }

    Blob blob(int number) {
        return blobs.get(number);
    }

    /** Copies the blobs in the given order; neighbours go in one transfer. */
    void copyTo(FileChannel out, int[] order, int count) throws IOException {
        int i = 0;
        while (i < count) {
            Blob first = blobs.get(order[i]);
            long length = first.length();
            i++;
            while (i < count && blobs.get(order[i]).offset() == first.offset() + length) {
                length += blobs.get(order[i]).length();
                i++;
            }
            long done = 0;
            while (done < length) {
                done += file.transferTo(first.offset() + done, length - done, out);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
        Files.deleteIfExists(path);
    }
}
