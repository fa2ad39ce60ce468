package dev.ron.ledger.note;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import dev.ron.ledger.sign.Ed25519Key;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** A C2SP verifier key: {@code <name>+<hash>+<base64(type || key)>}. */
public record NoteKey(String name, Type type, Ed25519Key key) {
    /** What the key's signatures cover. */
    public enum Type {
        /** The note text as it is: a log's signature. */
        NOTE(1),
        /** The note text with a time before it: a cosignature, which shows when the note was seen. */
        TIMESTAMPED(4);

        private final int code;

        Type(int code) {
            this.code = code;
        }
    }

    public NoteKey {
        requireName(name);
    }

    /** A name with a space or a plus could not be told from what follows it on the line. */
    static void requireName(String name) {
        if (name.isEmpty()
                || name.length() > 255
                || name.chars()
                        .anyMatch(c -> c == '+'
                                || c < 0x21
                                || c == 0x7f
                                || Character.isWhitespace(c)
                                || Character.isSpaceChar(c))) {
            throw new IllegalArgumentException(Quoted.of(name) + " (expected: a key name without space or +)");
        }
    }

    public static NoteKey parse(String vkey, String what) throws Refused {
        String[] parts = vkey.split("\\+", 3);
        if (parts.length != 3) {
            throw new Refused(Reason.MALFORMED, what + ": not a verifier key (name+hash+key)");
        }
        byte[] typed = StrictBase64.decode(parts[2], 1 + 32, what);
        Type type = Arrays.stream(Type.values())
                .filter(known -> known.code == typed[0])
                .findFirst()
                .orElseThrow(
                        () -> new Refused(Reason.MALFORMED, what + ": key type " + typed[0] + " (expected: 1 or 4)"));
        Ed25519Key key = Ed25519Key.of(Arrays.copyOfRange(typed, 1, typed.length), what);
        NoteKey parsed = Fields.checked(what, () -> new NoteKey(parts[0], type, key));
        if (!parsed.idHex().equals(parts[1])) {
            throw new Refused(
                    Reason.MALFORMED,
                    what + ": key hash " + Quoted.of(parts[1]) + " (expected: " + parsed.idHex() + ")");
        }
        return parsed;
    }

    public static NoteKey fromJson(Json value, String what) throws Refused {
        return parse(Fields.string(value, what), what);
    }

    public Json toJson() {
        return new Json.Str(toString());
    }

    /** The four bytes that stand before each signature of this key. */
    byte[] id() {
        byte[] digest = Sha256.of((name + "\n").getBytes(StandardCharsets.UTF_8), typed());
        return Arrays.copyOf(digest, 4);
    }

    private byte[] typed() {
        byte[] bytes = key.bytes();
        byte[] typed = new byte[1 + bytes.length];
        typed[0] = (byte) type.code;
        System.arraycopy(bytes, 0, typed, 1, bytes.length);
        return typed;
    }

    private String idHex() {
        return HexFormat.of().formatHex(id());
    }

    /** The vkey text. */
    @Override
    public String toString() {
        return name + "+" + idHex() + "+" + StrictBase64.encode(typed());
    }
}
