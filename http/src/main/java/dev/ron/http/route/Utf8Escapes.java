package dev.ron.http.route;

import java.nio.charset.StandardCharsets;

/** Escaped characters beyond ASCII: checked to be valid UTF-8 and kept escaped, or decoded for a handler. */
final class Utf8Escapes {
    private Utf8Escapes() {}

    /** Copies one escaped character in upper case; overlong forms, surrogates and C1 controls are refused. */
    static int append(String raw, int at, int end, StringBuilder out) {
        int lead = NormalPath.escaped(raw, at, end);
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4) {
            throw new BadTarget("path holds invalid UTF-8");
        }
        int codePoint = lead & (0xFF >> (length + 1));
        NormalPath.escape(lead, out);
        for (int i = 1; i < length; i++) {
            int next = NormalPath.escaped(raw, at + 3 * i, end);
            if ((next & 0xC0) != 0x80) {
                throw new BadTarget("path holds invalid UTF-8");
            }
            codePoint = codePoint << 6 | (next & 0x3F);
            NormalPath.escape(next, out);
        }
        boolean overlong = (length == 3 && codePoint < 0x800) || (length == 4 && codePoint < 0x10000);
        boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
        if (overlong || surrogate || codePoint > Character.MAX_CODE_POINT || codePoint < 0xA0) {
            throw new BadTarget("path holds invalid UTF-8 or a control character");
        }
        return at + 3 * length;
    }

    /** The text that a piece of a normal path stands for. */
    static String decode(String path, int start, int end) {
        int percent = path.indexOf('%', start);
        if (percent < 0 || percent >= end) {
            return path.substring(start, end);
        }
        byte[] bytes = new byte[end - start];
        int n = 0;
        int i = start;
        while (i < end) {
            char c = path.charAt(i);
            boolean escape = c == '%';
            bytes[n++] = (byte) (escape ? NormalPath.escaped(path, i, end) : c);
            i += escape ? 3 : 1;
        }
        return new String(bytes, 0, n, StandardCharsets.UTF_8);
    }
}
