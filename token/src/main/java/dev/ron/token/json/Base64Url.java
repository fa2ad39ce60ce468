package dev.ron.token.json;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Unpadded base64url with exactly one text per byte string. */
public final class Base64Url {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private Base64Url() {}

    public static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    /** The text as its bytes, for what is long. */
    public static byte[] encodeAscii(byte[] bytes) {
        return ENCODER.encode(bytes);
    }

    public static String encode(String ascii) {
        return encode(ascii.getBytes(StandardCharsets.UTF_8));
    }

    /** Decodes, or refuses as {@code malformed}, naming {@code what}. */
    public static byte[] decode(String text, String what) throws Refused {
        int length = text.length();
        if (length % 4 == 1) {
            throw malformed(what, "has an impossible base64url length");
        }
        // The JDK decoder takes padding and ignores trailing bits; both would give one value several spellings, and a
        // cache or revocation keyed by text could then be slipped past.
        int unusedBits = switch (length % 4) {
            case 2 -> 0x0f;
            case 3 -> 0x03;
            default -> 0;
        };
        if (unusedBits != 0 && (valueOf(text.charAt(length - 1)) & unusedBits) != 0) {
            throw malformed(what, "is not canonical base64url");
        }
        if (text.indexOf('=') >= 0) {
            throw malformed(what, "is padded");
        }
        try {
            return DECODER.decode(text);
        } catch (IllegalArgumentException _) {
            throw malformed(what, "is not base64url");
        }
    }

    /** Decodes exactly {@code size} bytes. */
    public static byte[] decode(String text, int size, String what) throws Refused {
        byte[] bytes = decode(text, what);
        if (bytes.length != size) {
            throw malformed(what, "must hold " + size + " bytes, has " + bytes.length);
        }
        return bytes;
    }

    private static int valueOf(char c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '-' ? 62 : 63;
    }

    private static Refused malformed(String what, String problem) {
        return new Refused(Reason.MALFORMED, what + " " + problem);
    }
}
