package dev.ron.passport.audit;

import dev.ron.passport.kms.CannotOpen;
import dev.ron.passport.kms.DurableFile;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lines of JSON, each with its number and the hash of the line before; used by one thread.
 *
 * <p>A line that a crash has cut short is taken off at the next start. A full file moves aside as {@code audit.log.1},
 * {@code .2} and so on; the chain goes on in the next.
 */
public final class AuditFile implements AutoCloseable {
    static final String NONE = "A".repeat(43);

    private static final int MAX_LINE = 8 << 10;
    /** Room for the last line and for a batch behind it that was cut short. */
    private static final int TAIL = 4 << 20;

    private static final long MAX = (1L << 53) - 1;

    private final Path file;
    private final long maxBytes;
    private final int keep;
    private FileChannel channel;
    /** Where the last batch ended that was written whole. */
    private long end;

    private long seq;
    private String prev;

    private record Place(long seq, String prev) {}

    /** @param keep how many full files stay */
    public AuditFile(Path file, long maxBytes, int keep) throws IOException {
        this.file = file;
        this.maxBytes = maxBytes;
        this.keep = keep;
        if (Files.exists(file)) {
            DurableFile.requireOwnerOnly(file);
        }
        Place place = cutTornLine(file);
        // A fresh file goes on where the last full one ended.
        Place last = place.seq() == 0 && Files.exists(aside(1)) ? cutTornLine(aside(1)) : place;
        this.seq = last.seq();
        this.prev = last.prev();
        this.channel = open();
        this.end = channel.size();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private Path aside(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private static Place cutTornLine(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new Place(0, NONE);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // A file may be larger than the heap; what counts is its last line, and what a crash left behind that.
            byte[] tail = tail(channel);
            int end = endOfLine(tail, tail.length);
            if (end == 0 && tail.length < channel.size()) {
                throw CannotOpen.because(file + " does not end in an audit line", "move it aside");
            }
            channel.truncate(channel.size() - (tail.length - end));
            if (end == 0) {
                return new Place(0, NONE);
            }
            byte[] line = Arrays.copyOfRange(tail, endOfLine(tail, end - 1), end - 1);
            return new Place(parse(line, file).seq(), hash(line));
        }
    }

    private static byte[] tail(FileChannel channel) throws IOException {
        long size = channel.size();
        ByteBuffer tail = ByteBuffer.allocate((int) Math.min(size, TAIL));
        while (tail.hasRemaining() && channel.read(tail, size - tail.remaining()) > 0) {
            // until it is full
        }
        return tail.array();
    }

    /** Where the last line that ends before {@code to} ends; 0 if none does. */
    private static int endOfLine(byte[] bytes, int to) {
        int end = to;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private static Place parse(byte[] line, Path file) {
        try {
            Members members = new Members(StrictJson.OWN.object(line, MAX_LINE, "audit"), "audit");
            return new Place(members.integer("seq", 1, MAX), members.string("prev", 43, 43));
        } catch (Refused e) {
            throw CannotOpen.because(file + " does not end in an audit line: " + e.detail(), "move it aside");
        }
    }

    private static String hash(byte[] line) {
        return Base64Url.encode(Sha256.of(line));
    }

    /**
     * Writes a batch with one call to the system; after a failure nothing of it is there, and it may be written again.
     *
     * @param sync whether it must also be on disk
     */
    public void append(List<AuditEvent> events, long atMillis, boolean sync) throws IOException {
        if (!channel.isOpen()) {
            channel = open();
        }
        if (channel.size() > end) {
            channel.truncate(end); // half a batch would break the chain
        }
        end = channel.size();
        StringBuilder text = new StringBuilder();
        long number = seq;
        String before = prev;
        for (AuditEvent event : events) {
            String line = CanonicalJson.write(json(event, ++number, before, atMillis));
            before = hash(line.getBytes(StandardCharsets.UTF_8));
            text.append(line).append('\n');
        }
        ByteBuffer left = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (left.hasRemaining()) {
            channel.write(left);
        }
        if (sync) {
            channel.force(false);
        }
        end = channel.size();
        seq = number;
        prev = before;
    }

    /** Where a full file cannot be moved it grows, and the next batch tries again. */
    void moveAsideIfFull() throws IOException {
        if (end >= maxBytes) {
            moveAside();
        }
    }

    private static Json json(AuditEvent event, long seq, String prev, long atMillis) {
        Map<String, Json> members = new LinkedHashMap<>();
        event.facts().forEach((name, value) -> members.put(name, new Json.Str(value)));
        return new Json.Obj(Map.of(
                "seq", new Json.Int(seq),
                "prev", new Json.Str(prev),
                "at_ms", new Json.Int(atMillis),
                "action", new Json.Str(event.action()),
                "who", new Json.Str(event.who()),
                "corr_id", new Json.Str(event.corrId()),
                "facts", new Json.Obj(members)));
    }

    private void moveAside() throws IOException {
        channel.force(false);
        channel.close();
        try {
            for (int number = keep - 1; number >= 1; number--) {
                if (Files.exists(aside(number))) {
                    Files.move(aside(number), aside(number + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.move(file, aside(1), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            channel = open();
            end = channel.size();
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.force(false);
            channel.close();
        }
    }

    /** Follows the chain of one file: the number of lines, or which line does not follow from the one before. */
    public static long verify(Path file) throws IOException {
        long lines = 0;
        Place before = new Place(0, NONE);
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                byte[] line = text.getBytes(StandardCharsets.UTF_8);
                Place place = parse(line, file);
                boolean follows = lines == 0
                        || (place.seq() == before.seq() + 1 && place.prev().equals(before.prev()));
                if (!follows) {
                    throw CannotOpen.because(
                            file + ": line " + (lines + 1) + " does not follow from the one before",
                            "a line was changed or taken out");
                }
                before = new Place(place.seq(), hash(line));
                lines++;
            }
        }
        return lines;
    }

    /** Whether a crash cut the last line of a file short. */
    public static boolean isTorn(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() > 0 && channel.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
        }
    }
}
