package dev.ron.http.json;

/** Checks what the parser lets pass: overlong or otherwise invalid UTF-8, and lone surrogates in escapes. */
final class JsonText {
    private JsonText() {}

    /** The position of the first bad byte, or -1. */
    static int firstBad(byte[] text, int from, int to) {
        int i = from;
        while (i < to) {
            byte b = text[i];
            if (b == '\\') {
                int next = afterEscape(text, i, to);
                if (next < 0) {
                    return i;
                }
                i = next;
            } else if (b > 0) {
                i++;
            } else if (b == 0) {
                return i; // a zero byte would make the parser take the text for UTF-16 or UTF-32
            } else {
                int length = sequence(text, i, to);
                if (length == 0) {
                    return i;
                }
                i += length;
            }
        }
        return -1;
    }

    /** The length of the valid UTF-8 sequence at {@code i}, 0 if it is not one (RFC 3629, table of legal bytes). */
    private static int sequence(byte[] text, int i, int to) {
        int lead = text[i] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || i + length > to) {
            return 0;
        }
        int second = text[i + 1] & 0xFF;
        int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if ((text[i + k] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Where reading goes on after the escape at {@code i}; -1 for half a surrogate pair. Other faults are the parser's. */
    private static int afterEscape(byte[] text, int i, int to) {
        int unit = unit(text, i, to);
        if (unit < 0) {
            return i + 2;
        }
        if (Character.isLowSurrogate((char) unit)) {
            return -1;
        }
        if (!Character.isHighSurrogate((char) unit)) {
            return i + 6;
        }
        int second = unit(text, i + 6, to);
        return second >= 0 && Character.isLowSurrogate((char) second) ? i + 12 : -1;
    }

    private static int unit(byte[] text, int i, int to) {
        if (i + 6 > to || text[i] != '\\' || text[i + 1] != 'u') {
            return -1;
        }
        int value = 0;
        for (int k = 2; k < 6; k++) {
            int digit = Character.digit((char) (text[i + k] & 0xFF), 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
