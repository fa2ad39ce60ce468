package dev.ron.token.json;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads one JSON object and refuses whatever two parsers could read differently.
 *
 * <p>Duplicate keys, bytes that are not UTF-8, lone surrogates, integers beyond 2^53 - 1, trailing text and deep nesting
 * are refused in every profile; fractions and null only in {@link #OWN}, since foreign issuers do send them.
 */
public final class StrictJson {
    /** For our own formats. */
    public static final StrictJson OWN = new StrictJson(6, 512, false);

    /** For claim sets and key sets of other issuers. */
    public static final StrictJson FOREIGN = new StrictJson(16, 8192, true);

    private final int maxDepth;
    private final int maxString;
    private final boolean otherAllowed;

    private StrictJson(int maxDepth, int maxString, boolean otherAllowed) {
        this.maxDepth = maxDepth;
        this.maxString = maxString;
        this.otherAllowed = otherAllowed;
    }

    /** Parses {@code bytes}, which must be one object of at most {@code maxBytes}. */
    public Json.Obj object(byte[] bytes, int maxBytes, String what) throws Refused {
        return parse(bytes, maxBytes, what, item -> false);
    }

    /**
     * The same for an object that is mostly one list: each item goes to {@code rows} as soon as it is read, and the lists
     * of the object itself come back empty. So the text and what is made of it are in memory, but no tree of it.
     */
    public Json.Obj object(byte[] bytes, int maxBytes, String what, Rows rows) throws Refused {
        return parse(bytes, maxBytes, what, item -> {
            rows.add(item);
            return true;
        });
    }

    /** Takes the items of a list one by one. */
    @FunctionalInterface
    public interface Rows {
        void add(Json item) throws Refused;
    }

    private Json.Obj parse(byte[] bytes, int maxBytes, String what, JsonText.Items rows) throws Refused {
        if (bytes.length > maxBytes) {
            throw new Refused(Reason.TOO_LARGE, what + " has " + bytes.length + " bytes (at most " + maxBytes + ")");
        }
        requireUtf8(bytes, what);
        return new JsonText(bytes, what, maxDepth, maxString, otherAllowed, rows).onlyObject();
    }

    private static void requireUtf8(byte[] bytes, String what) throws Refused {
        boolean ascii = true;
        for (byte b : bytes) {
            ascii &= b >= 0;
        }
        if (ascii) {
            return;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException _) {
            throw new Refused(Reason.MALFORMED, what + " is not UTF-8");
        }
    }
}
