package dev.ron.ledger.hash;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.util.Base64;

/** Standard base64 with padding, where each byte string has one text: unused bits set or padding left out is refused. */
public final class StrictBase64 {
    private StrictBase64() {}

    public static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static byte[] decode(String text, String what) throws Refused {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException _) {
            throw new Refused(Reason.MALFORMED, what + ": not base64");
        }
        // The JDK's decoder takes several texts for the same bytes; a signature line must have exactly one.
        if (!encode(bytes).equals(text)) {
            throw new Refused(Reason.NOT_CANONICAL, what + ": base64 with stray bits or missing padding");
        }
        return bytes;
    }

    public static byte[] decode(String text, int size, String what) throws Refused {
        byte[] bytes = decode(text, what);
        if (bytes.length != size) {
            throw new Refused(Reason.MALFORMED, what + ": " + bytes.length + " bytes (expected: " + size + ")");
        }
        return bytes;
    }
}
