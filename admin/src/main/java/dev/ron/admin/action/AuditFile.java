package dev.ron.admin.action;

import dev.ron.admin.view.AuditRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The audit log on disk: JSON lines in files of a bounded size, of which the newest few are kept; the chain goes on from
 * one file to the next. A line is synced before it counts as written.
 */
final class AuditFile implements AuditStore {
    private final Path folder;
    private final long maxBytes;
    private final int keep;
    private FileChannel channel;
    private long size;

    private AuditFile(Path folder, long maxBytes, int keep, FileChannel channel) throws IOException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.keep = keep;
        this.channel = channel;
        this.size = channel.size();
    }

    static AuditFile open(Path folder, long maxBytes, int keep) throws IOException {
        Files.createDirectories(folder);
        List<Path> files = files(folder);
        Path newest = files.isEmpty() ? folder.resolve(name(1)) : files.getLast();
        return new AuditFile(folder, maxBytes, keep, channel(newest));
    }

    private static FileChannel channel(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        channel.position(channel.size());
        return channel;
    }

    private static String name(long firstSeq) {
        return String.format("audit-%019d.jsonl", firstSeq);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().matches("audit-\\d{19}\\.jsonl"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public Loaded load() throws IOException {
        List<AuditRecord> records = new ArrayList<>();
        String trouble = "";
        List<Path> files = files(folder);
        for (Path file : files) {
            boolean last = file.equals(files.getLast());
            byte[] bytes = Files.readAllBytes(file);
            int whole = wholeLines(bytes);
            if (whole < bytes.length && last) {
                // A line that was being written when the process ended; nobody was told that it was there.
                channel.truncate(whole);
                channel.force(true);
                channel.position(whole);
                size = whole;
            }
            for (String line : new String(bytes, 0, whole, StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isEmpty()) {
                    Optional<AuditRecord> record = AuditLine.parse(line);
                    if (record.isPresent()) {
                        records.add(record.get());
                    } else if (trouble.isEmpty()) {
                        trouble = "a line of " + file.getFileName() + " cannot be read";
                    }
                }
            }
        }
        return new Loaded(records, trouble);
    }

    private static int wholeLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    @Override
    public void append(AuditRecord record) throws IOException {
        byte[] line = AuditLine.bytes(record);
        if (size > 0 && size + line.length > maxBytes) {
            rotate(record.seq());
        }
        long before = size;
        try {
            ByteBuffer buffer = ByteBuffer.wrap(line);
            while (buffer.hasRemaining()) {
                size += channel.write(buffer);
            }
            channel.force(false);
        } catch (IOException e) {
            undo(before);
            throw e;
        }
    }

    /** A part of a line must not stay where the next one is to begin. */
    private void undo(long before) throws IOException {
        channel.truncate(before);
        channel.position(before);
        size = before;
    }

    private void rotate(long firstSeq) throws IOException {
        FileChannel next = channel(folder.resolve(name(firstSeq)));
        channel.close();
        channel = next;
        size = next.size();
        List<Path> files = files(folder);
        for (int i = 0; i < files.size() - keep; i++) {
            Files.delete(files.get(i));
        }
    }

    @Override
    public boolean durable() {
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
