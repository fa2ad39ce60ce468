package dev.ron.ledger.note;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.Quoted;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/** One signature line of a note: {@code — <name> <base64(key id || signature)>}. */
public record NoteSignature(String name, String blob) {
    private static final String DASH = "\u2014 ";
    private static final int ID_BYTES = 4;
    private static final int TIME_BYTES = 8;

    /** Reads a line without its newline. */
    static NoteSignature parse(String line) throws Refused {
        int space = line.indexOf(' ', DASH.length());
        if (!line.startsWith(DASH) || space < 0) {
            throw new Refused(Reason.MALFORMED, "note: not a signature line: " + Quoted.of(line));
        }
        String name = line.substring(DASH.length(), space);
        String blob = line.substring(space + 1);
        if (StrictBase64.decode(blob, "note signature by " + Quoted.of(name)).length <= ID_BYTES) {
            throw new Refused(Reason.MALFORMED, "note signature by " + Quoted.of(name) + ": too short");
        }
        try {
            NoteKey.requireName(name);
        } catch (IllegalArgumentException e) {
            throw new Refused(Reason.MALFORMED, "note signature: " + e.getMessage());
        }
        return new NoteSignature(name, blob);
    }

    static NoteSignature of(NoteKey key, byte[] signature) {
        byte[] bytes = ByteBuffer.allocate(ID_BYTES + signature.length)
                .put(key.id())
                .put(signature)
                .array();
        return new NoteSignature(key.name(), StrictBase64.encode(bytes));
    }

    static NoteSignature of(NoteKey key, long seconds, byte[] signature) {
        return of(
                key,
                ByteBuffer.allocate(TIME_BYTES + signature.length)
                        .putLong(seconds)
                        .put(signature)
                        .array());
    }

    /** True when the line claims to be by this key; whether it is, {@link #verify} tells. */
    boolean claims(NoteKey key) {
        return name.equals(key.name()) && Arrays.equals(bytes(), 0, ID_BYTES, key.id(), 0, ID_BYTES);
    }

    boolean verify(NoteKey key, String text) {
        byte[] bytes = bytes();
        return switch (key.type()) {
            case NOTE ->
                key.key()
                        .verify(
                                text.getBytes(StandardCharsets.UTF_8),
                                Arrays.copyOfRange(bytes, ID_BYTES, bytes.length));
            case TIMESTAMPED -> {
                OptionalLong seconds = seconds();
                yield seconds.isPresent()
                        && key.key()
                                .verify(
                                        timestamped(text, seconds.getAsLong()),
                                        Arrays.copyOfRange(bytes, ID_BYTES + TIME_BYTES, bytes.length));
            }
        };
    }

    /** The time a cosignature carries, in seconds; only meaningful when its key is {@code TIMESTAMPED}. */
    public OptionalLong seconds() {
        byte[] bytes = bytes();
        if (bytes.length < ID_BYTES + TIME_BYTES) {
            return OptionalLong.empty();
        }
        long seconds = ByteBuffer.wrap(bytes, ID_BYTES, TIME_BYTES).getLong();
        return seconds < 0 ? OptionalLong.empty() : OptionalLong.of(seconds);
    }

    static byte[] timestamped(String text, long seconds) {
        return ("cosignature/v1\ntime " + seconds + "\n" + text).getBytes(StandardCharsets.UTF_8);
    }

    String line() {
        return DASH + name + " " + blob + "\n";
    }

    private byte[] bytes() {
        return java.util.Base64.getDecoder().decode(blob);
    }
}
