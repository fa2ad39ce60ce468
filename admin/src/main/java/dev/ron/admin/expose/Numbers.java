package dev.ron.admin.expose;

import java.nio.charset.StandardCharsets;

/** Reads numbers as Go writes them: {@code NaN}, {@code +Inf}, {@code -Inf}, decimal and hexadecimal floats. */
final class Numbers {
    private static final int MAX_LENGTH = 64;
    private static final int SAFE_DIGITS = 15;
    private static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private double value;

    /** The number that {@link #read} found. */
    double value() {
        return value;
    }

    /** Whether the whole text is a number. */
    boolean read(byte[] text, int from, int to) {
        if (from >= to || to - from > MAX_LENGTH) {
            return false;
        }
        return plain(text, from, to) || special(text, from, to) || general(text, from, to);
    }

    /** Digits with at most one point: exact, because the digits and the power of ten both fit a double. */
    private boolean plain(byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        int at = negative ? from + 1 : from;
        if (to - at > SAFE_DIGITS || at == to) {
            return false;
        }
        long digits = 0;
        int point = -1;
        int count = 0;
        for (; at < to; at++) {
            byte b = text[at];
            if (b >= '0' && b <= '9') {
                digits = digits * 10 + (b - '0');
                count++;
            } else if (b == '.' && point < 0) {
                point = count;
            } else {
                return false;
            }
        }
        if (count == 0) {
            return false;
        }
        double magnitude = point < 0 ? digits : digits / POWERS[count - point];
        value = negative ? -magnitude : magnitude;
        return true;
    }

    private boolean special(byte[] text, int from, int to) {
        int at = text[from] == '+' || text[from] == '-' ? from + 1 : from;
        if (isWord(text, at, to, "nan") && at == from) {
            value = Double.NaN;
            return true;
        }
        if (isWord(text, at, to, "inf") || isWord(text, at, to, "infinity")) {
            value = text[from] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            return true;
        }
        return false;
    }

    private static boolean isWord(byte[] text, int from, int to, String lower) {
        if (to - from != lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            if ((text[from + i] | 0x20) != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean general(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = text[i];
            boolean ours = (b >= '0' && b <= '9')
                    || b == '.'
                    || b == '+'
                    || b == '-'
                    || b == 'x'
                    || b == 'X'
                    || b == 'p'
                    || b == 'P'
                    || (b >= 'a' && b <= 'f')
                    || (b >= 'A' && b <= 'F');
            if (!ours) {
                return false;
            }
        }
        // Java would take a trailing d or f as the type of the literal.
        byte last = text[to - 1];
        boolean hex = to - from > 2 && (contains(text, from, to, 'x') || contains(text, from, to, 'X'));
        if (!hex && !(last >= '0' && last <= '9') && last != '.') {
            return false;
        }
        try {
            value = Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean contains(byte[] text, int from, int to, char c) {
        for (int i = from; i < to; i++) {
            if (text[i] == c) {
                return true;
            }
        }
        return false;
    }
}
