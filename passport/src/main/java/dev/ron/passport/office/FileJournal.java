package dev.ron.passport.office;

import dev.ron.passport.kms.CannotOpen;
import dev.ron.passport.kms.DurableFile;
import dev.ron.token.Refused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of batches: {@code magic, batch number, length, checksum, entries}, each batch synced before it is acknowledged.
 *
 * <p>After a crash the last batch may be torn: nobody was told of it, so it is cut off. Damage that is followed by a
 * whole batch of a later number is not a torn tail but rot, and then an acknowledged revocation may be lost: refuse.
 */
public final class FileJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
    private static final int MAGIC = 0x524a4e31;
    private static final int HEAD_BYTES = 4 + 8 + 4 + 4;
    private static final long REWRITE_BYTES = 16L << 20;

    private final Path file;
    private FileChannel channel;
    private long end;
    private long batches;
    private long rewriteAt = REWRITE_BYTES;

    private FileJournal(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    public static FileJournal open(Path file) throws IOException {
        boolean fresh = !Files.exists(file);
        if (!fresh) {
            DurableFile.requireOwnerOnly(file);
        }
        FileJournal journal = new FileJournal(file, channel(file));
        if (fresh) {
            DurableFile.syncFolder(file);
        }
        return journal;
    }

    private static FileChannel channel(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    @Override
    public List<JournalEntry> read() throws IOException {
        // After a rewrite that failed half-way the name may stand for another file than the one that is open.
        channel.close();
        channel = channel(file);
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
        List<JournalEntry> entries = new ArrayList<>();
        batches = 0; // it may be read again, after a write that failed
        int last = 0;
        int end = 0;
        while (all.hasRemaining()) {
            ByteBuffer body = batchAt(all, end, batches + 1);
            if (body == null) {
                break;
            }
            addTo(entries, body);
            batches = all.getLong(end + 4);
            last = end;
            end = body.limit();
            all.position(end);
        }
        if (end < all.capacity()) {
            requireTorn(all, end);
            LOG.warn("journal: cut off {} bytes of a batch that was never acknowledged", all.capacity() - end);
            channel.truncate(end);
        }
        // The last batch may be in the page cache only; from now on it counts. If its sync has failed, the system
        // takes it for written and a sync alone would write nothing.
        write(all.duplicate().limit(end).position(last), last);
        channel.force(true);
        this.end = end;
        return entries;
    }

    /** The entries of the whole batch at this place, or null if there is none with at least this number. */
    private static @org.jspecify.annotations.Nullable ByteBuffer batchAt(ByteBuffer all, int at, long atLeast) {
        if (all.capacity() - at < HEAD_BYTES || all.getInt(at) != MAGIC || all.getLong(at + 4) < atLeast) {
            return null;
        }
        int length = all.getInt(at + 12);
        if (length < 0 || length > all.capacity() - at - HEAD_BYTES) {
            return null;
        }
        ByteBuffer body = all.duplicate().position(at + HEAD_BYTES).limit(at + HEAD_BYTES + length);
        return checksum(all.getLong(at + 4), body.duplicate()) == all.getInt(at + 16) ? body : null;
    }

    private void requireTorn(ByteBuffer all, int from) {
        for (int at = from + 1; at <= all.capacity() - HEAD_BYTES; at++) {
            if (all.getInt(at) == MAGIC && batchAt(all, at, batches + 1) != null) {
                throw CannotOpen.because(
                        file + " is damaged at byte " + from + ", before batches that are whole",
                        "restore the folder from a copy: a revocation may be missing");
            }
        }
    }

    private void addTo(List<JournalEntry> entries, ByteBuffer body) throws IOException {
        while (body.hasRemaining()) {
            byte[] line = new byte[body.getInt()];
            body.get(line);
            try {
                entries.add(JournalEntry.parse(line));
            } catch (Refused e) {
                throw CannotOpen.because(
                        file + " holds an entry this version cannot read: " + e.detail(),
                        "use the version that wrote it");
            }
        }
    }

    @Override
    public void append(List<JournalEntry> batch) throws IOException {
        ByteBuffer frame = frame(batches + 1, batch);
        // In its place, also where it is tried again: what a failed attempt has left there must not stay before it.
        write(frame, end);
        channel.force(false);
        end += frame.limit();
        batches++;
    }

    private void write(ByteBuffer bytes, long at) throws IOException {
        channel.position(at);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static ByteBuffer frame(long number, List<JournalEntry> batch) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (JournalEntry entry : batch) {
            byte[] line = entry.bytes();
            body.writeBytes(ByteBuffer.allocate(4).putInt(line.length).array());
            body.writeBytes(line);
        }
        byte[] content = body.toByteArray();
        return ByteBuffer.allocate(HEAD_BYTES + content.length)
                .putInt(MAGIC)
                .putLong(number)
                .putInt(content.length)
                .putInt(checksum(number, ByteBuffer.wrap(content)))
                .put(content)
                .flip();
    }

    private static int checksum(long number, ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(8).putLong(number).flip());
        crc.update(content);
        return (int) crc.getValue();
    }

    @Override
    public long batches() {
        return batches;
    }

    @Override
    public boolean wantsRewrite() {
        try {
            return channel.size() > rewriteAt;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void rewrite(List<JournalEntry> all) throws IOException {
        rewriteAt = channel.size() + REWRITE_BYTES; // where it fails it is not tried again with every batch
        DurableFile.replace(file, frame(batches + 1, all).array());
        batches++;
        channel.close();
        channel = channel(file);
        end = channel.size();
        rewriteAt = Math.max(REWRITE_BYTES, 2 * channel.size());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
