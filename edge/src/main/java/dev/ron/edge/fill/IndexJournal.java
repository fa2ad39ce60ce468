package dev.ron.edge.fill;

import dev.ron.edge.digest.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Which object is under which key, on disk beside the store: a line of records, each with its checksum.
 *
 * <p>A record is appended whole or not at all: what a killed process left half written fails its checksum, and everything
 * from there on is cut off. Only what was purged is synced: the rest is worth as much as the blobs it names, and those are
 * checked when they are opened. One thread writes.
 */
final class IndexJournal implements AutoCloseable {
    private static final byte[] MAGIC = "RONIDX03".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = 8; // length and checksum of a record
    private static final int MOST = 64 << 10;
    private static final byte PUT = 1;
    private static final byte REMOVE = 2;

    private final Path path;
    private FileChannel file;
    private long records;

    private IndexJournal(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** Opens a journal, or makes one, and brings its records into the map. */
    static IndexJournal open(Path path, Map<String, Stored> into) throws IOException {
        Files.deleteIfExists(temporary(path));
        IndexJournal journal = new IndexJournal(
                path,
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        boolean read = false;
        try {
            journal.replay(into);
            read = true;
            return journal;
        } finally {
            if (!read) {
                journal.close();
            }
        }
    }

    private static Path temporary(Path path) {
        return path.resolveSibling(path.getFileName() + ".new");
    }

    private void replay(Map<String, Stored> into) throws IOException {
        long good = 0;
        ByteBuffer magic = ByteBuffer.allocate(MAGIC.length);
        if (fill(magic, 0) && Arrays.equals(magic.array(), MAGIC)) {
            good = MAGIC.length;
            for (int length = next(good, into); length > 0; length = next(good, into)) {
                good += length;
                records++;
            }
        }
        file.truncate(good); // what follows was never whole
        file.position(good);
        if (good == 0) {
            write(ByteBuffer.wrap(MAGIC));
        }
    }

    /** Takes the record at a place into the map; its length, or 0 where there is none that is whole. */
    private int next(long at, Map<String, Stored> into) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD);
        if (!fill(head, at)) {
            return 0;
        }
        int length = head.getInt(0);
        if (length <= 0 || length > MOST) {
            return 0;
        }
        ByteBuffer body = ByteBuffer.allocate(length);
        if (!fill(body, at + HEAD) || checksum(body.array()) != head.getInt(4)) {
            return 0;
        }
        apply(body.array(), into);
        return HEAD + length;
    }

    private boolean fill(ByteBuffer into, long at) throws IOException {
        long from = at;
        while (into.hasRemaining()) {
            int n = file.read(into, from);
            if (n < 0) {
                return false;
            }
            from += n;
        }
        return true;
    }

    private static int checksum(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }

    private static void apply(byte[] body, Map<String, Stored> into) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
            byte kind = in.readByte();
            String key = in.readUTF();
            if (kind == REMOVE) {
                into.remove(key);
                return;
            }
            byte[] digest = in.readNBytes(Digest.BYTES);
            into.put(
                    key,
                    new Stored(
                            Digest.of(digest),
                            in.readLong(),
                            in.readUTF(),
                            Optional.of(in.readUTF()).filter(tag -> !tag.isEmpty()),
                            in.readBoolean() ? Optional.of(Instant.ofEpochSecond(in.readLong())) : Optional.empty(),
                            Instant.ofEpochMilli(in.readLong()),
                            Instant.ofEpochMilli(in.readLong()),
                            new Freshness(
                                    in.readBoolean() ? Optional.of(in.readInt()) : Optional.empty(),
                                    in.readBoolean()
                                            ? Optional.of(Instant.ofEpochSecond(in.readLong()))
                                            : Optional.empty(),
                                    in.readBoolean(),
                                    in.readBoolean())));
        }
    }

    void put(String key, Stored object) throws IOException {
        write(record(key, object));
        records++;
    }

    void remove(String key) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(body)) {
            out.writeByte(REMOVE);
            out.writeUTF(key);
        }
        write(framed(body.toByteArray()));
        records++;
    }

    private static ByteBuffer record(String key, Stored object) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(body)) {
            out.writeByte(PUT);
            out.writeUTF(key);
            out.write(HexFormat.of().parseHex(object.digest().hex()));
            out.writeLong(object.size());
            out.writeUTF(object.mediaType());
            out.writeUTF(object.etag().orElse(""));
            out.writeBoolean(object.lastModified().isPresent());
            if (object.lastModified().isPresent()) {
                out.writeLong(object.lastModified().get().getEpochSecond());
            }
            out.writeLong(object.checked().toEpochMilli());
            out.writeLong(object.freshUntil().toEpochMilli());
            Freshness said = object.said();
            out.writeBoolean(said.lifetime().isPresent());
            if (said.lifetime().isPresent()) {
                out.writeInt(said.lifetime().get());
            }
            out.writeBoolean(said.expires().isPresent());
            if (said.expires().isPresent()) {
                out.writeLong(said.expires().get().getEpochSecond());
            }
            out.writeBoolean(said.ask());
            out.writeBoolean(said.strict());
        }
        return framed(body.toByteArray());
    }

    private static ByteBuffer framed(byte[] body) throws IOException {
        if (body.length > MOST) {
            throw new IOException("a record of " + body.length + " bytes (expected: at most " + MOST + ")");
        }
        return ByteBuffer.allocate(HEAD + body.length)
                .putInt(body.length)
                .putInt(checksum(body))
                .put(body)
                .flip();
    }

    private void write(ByteBuffer bytes) throws IOException {
        long start = file.position();
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            file.truncate(start); // half a record would hide all that follow
            throw e;
        }
    }

    /** What was written until now outlasts a power loss. */
    void sync() throws IOException {
        file.force(false);
    }

    /** How many records there are, those that later ones have overtaken included. */
    long records() {
        return records;
    }

    /** Starts over with what is there now; a reader finds the old file or the new one, and the new one for good. */
    void rewrite(Map<String, Stored> objects) throws IOException {
        Path next = temporary(path);
        FileChannel fresh = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        FileChannel old = file;
        long before = records;
        boolean moved = false;
        try {
            file = fresh;
            records = 0;
            write(ByteBuffer.wrap(MAGIC));
            for (Map.Entry<String, Stored> entry : objects.entrySet()) {
                put(entry.getKey(), entry.getValue());
            }
            sync();
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
            moved = true;
            syncFolder();
        } finally {
            if (moved) {
                old.close();
            } else {
                file = old;
                records = before;
                fresh.close();
            }
        }
    }

    private void syncFolder() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
                entry.force(true);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
