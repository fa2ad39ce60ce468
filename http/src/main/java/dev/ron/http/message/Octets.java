package dev.ron.http.message;

/** Which octets a message head may hold where (RFC 9110, 5.5 and 5.6.2). */
public final class Octets {
    private static final boolean[] TOKEN = new boolean[256];
    private static final boolean[] FIELD_VALUE = new boolean[256];

    static {
        for (int c = 0; c < 256; c++) {
            boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            TOKEN[c] = letterOrDigit || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
            FIELD_VALUE[c] = c == '\t' || (c >= 0x20 && c != 0x7F);
        }
    }

    private Octets() {}

    public static boolean isToken(byte c) {
        return TOKEN[c & 0xFF];
    }

    public static boolean isToken(char c) {
        return c < 256 && TOKEN[c];
    }

    /** Visible characters, space, tab and the upper half of Latin-1; no control character. */
    public static boolean isFieldValue(byte c) {
        return FIELD_VALUE[c & 0xFF];
    }

    public static boolean isFieldValue(char c) {
        return c < 256 && FIELD_VALUE[c];
    }
}
