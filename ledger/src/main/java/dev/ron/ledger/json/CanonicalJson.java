package dev.ron.ledger.json;

import dev.ron.ledger.Refused;
import java.nio.charset.StandardCharsets;

/** RFC 8785 text (sorted keys, no spaces, shortest escapes) of any value: the bytes that are hashed and signed. */
public final class CanonicalJson {
    private CanonicalJson() {}

    public static byte[] bytes(Json value) {
        return new CanonicalWriter().write(value).bytes();
    }

    /** Back from bytes that were written here. */
    public static Json.Obj object(byte[] canonical) {
        try {
            return Fields.object(StrictJson.HASHED.read(canonical, "canonical bytes"), "canonical bytes");
        } catch (Refused e) {
            throw new IllegalArgumentException(e.detail(), e);
        }
    }

    public static String text(Json value) {
        return new String(bytes(value), StandardCharsets.UTF_8);
    }
}
