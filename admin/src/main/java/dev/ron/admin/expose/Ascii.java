package dev.ron.admin.expose;

import java.nio.charset.StandardCharsets;

/** Steps over bytes. */
final class Ascii {
    private Ascii() {}

    static int skipBlanks(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isBlank(text[at])) {
            at++;
        }
        return at;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The end of the run of bytes that are not blank. */
    static int skipWord(byte[] text, int from, int to) {
        int at = from;
        while (at < to && !isBlank(text[at])) {
            at++;
        }
        return at;
    }

    static boolean isNameStart(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b == ':';
    }

    static boolean isNamePart(byte b) {
        return isNameStart(b) || (b >= '0' && b <= '9');
    }

    /** The end of a name that starts here; {@code from} where none does. */
    static int skipName(byte[] text, int from, int to) {
        if (from >= to || !isNameStart(text[from])) {
            return from;
        }
        int at = from + 1;
        while (at < to && isNamePart(text[at])) {
            at++;
        }
        return at;
    }

    static boolean equals(byte[] text, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (text[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static String text(byte[] text, int from, int to) {
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }
}
