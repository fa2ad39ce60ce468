package dev.ron.ledger.hash;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import java.util.HexFormat;

/** A BLAKE3-256 digest, printed as {@code b3:} and 64 lower-case hex digits; {@code b3sum} reproduces every one. */
public record B3(String text) {
    private static final String PREFIX = "b3:";
    private static final int LENGTH = PREFIX.length() + 64;

    /** The predecessor of the first entry. */
    public static final B3 ZERO = new B3("b3:" + "0".repeat(64));

    public B3 {
        if (!isDigest(text)) {
            throw new IllegalArgumentException(Quoted.of(text) + " (expected: b3: and 64 lower-case hex digits)");
        }
    }

    // By hand: an expression here is a tenth of the cost of a commit.
    private static boolean isDigest(String text) {
        if (text.length() != LENGTH || !text.startsWith(PREFIX)) {
            return false;
        }
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    public static B3 of(byte[] bytes) {
        return new B3("b3:" + HexFormat.of().formatHex(Blake3.hash(bytes)));
    }

    /** The hash of an object; the object's {@code t} member keeps hashes of different kinds apart. */
    public static B3 of(Json.Obj object) {
        if (!object.members().containsKey("t")) {
            throw new IllegalArgumentException("a hashed object needs a type tag t");
        }
        return of(CanonicalJson.bytes(object));
    }

    public static B3 parse(String text, String what) throws Refused {
        return Fields.checked(what, () -> new B3(text));
    }

    public static B3 fromJson(Json value, String what) throws Refused {
        return parse(Fields.string(value, what), what);
    }

    public Json.Str toJson() {
        return new Json.Str(text);
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(text, 3, text.length());
    }

    /** Refuses unless {@code actual} is this digest, naming both. */
    public void expect(B3 actual, Reason otherwise, String what) throws Refused {
        if (!equals(actual)) {
            throw new Refused(otherwise, what + ": " + actual + " (expected: " + this + ")");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
