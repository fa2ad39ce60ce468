package dev.ron.http.route;

/**
 * Brings a request path to the one spelling that is matched and forwarded.
 *
 * <p>Escapes of unreserved characters are decoded, all others kept in upper case; characters that a path may
 * not hold are escaped; repeated slashes are merged and dot segments resolved. Refused: escaped slash or
 * backslash, backslash, control characters, invalid UTF-8, a path that climbs above the root, and a dot
 * segment with parameters ({@code /..;/}), which some servers read as {@code /../}. The result is a fixed
 * point: normalising it again changes nothing.
 */
public final class NormalPath {
    private static final int PLAIN = 0; // stays as it is
    private static final int ESCAPE = 1; // printable, but not allowed in a path: is escaped
    private static final int REFUSE = 2;
    private static final byte[] CLASS = classes();
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private NormalPath() {}

    /** The normal form of an absolute path (no query), or {@link BadTarget}; most paths come back as the same object. */
    public static String of(String raw) {
        if (raw.isEmpty() || raw.charAt(0) != '/') {
            throw new BadTarget("path does not start with a slash");
        }
        return isNormal(raw) ? raw : rewrite(raw);
    }

    /** Conservative: a path with any escape, any dot right after a slash or any odd character takes the slow way. */
    private static boolean isNormal(String path) {
        char previous = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c >= 128 || CLASS[c] != PLAIN || (previous == '/' && (c == '/' || c == '.'))) {
                return false;
            }
            previous = c;
        }
        return true;
    }

    private static String rewrite(String raw) {
        StringBuilder out = new StringBuilder(raw.length() + 8);
        int at = 0;
        boolean slashAtEnd = true;
        while (at < raw.length()) {
            int start = at + 1; // raw[at] is the slash before the segment
            int end = raw.indexOf('/', start);
            end = end < 0 ? raw.length() : end;
            int mark = out.length();
            out.append('/');
            appendSegment(raw, start, end, out);
            slashAtEnd = settle(out, mark);
            at = end;
        }
        if (slashAtEnd) {
            out.append('/');
        }
        return out.toString();
    }

    /** Drops an empty or dot segment written from {@code mark} on; true if the path so far stands for a folder. */
    private static boolean settle(StringBuilder out, int mark) {
        int length = out.length() - mark - 1;
        int dots = 0;
        while (dots < length && dots < 3 && out.charAt(mark + 1 + dots) == '.') {
            dots++;
        }
        if (dots == length && dots < 3) {
            out.setLength(mark);
            if (dots == 2) {
                if (mark == 0) {
                    throw new BadTarget("path climbs above the root");
                }
                out.setLength(out.lastIndexOf("/"));
            }
            return true;
        }
        if ((dots == 1 || dots == 2) && parametersAt(out, mark + 1 + dots)) {
            throw new BadTarget("dot segment with parameters");
        }
        return false;
    }

    private static boolean parametersAt(StringBuilder out, int at) {
        return out.charAt(at) == ';'
                || (out.length() - at >= 3 && out.substring(at, at + 3).equals("%3B"));
    }

    private static void appendSegment(String raw, int start, int end, StringBuilder out) {
        int i = start;
        while (i < end) {
            char c = raw.charAt(i);
            if (c == '%') {
                i = appendEscape(raw, i, end, out);
                continue;
            }
            if (c >= 128 || CLASS[c] == REFUSE) {
                throw new BadTarget("path holds a character that must be escaped or is forbidden: " + shown(c));
            }
            if (CLASS[c] == ESCAPE) {
                escape(c, out);
            } else {
                out.append(c);
            }
            i++;
        }
    }

    private static int appendEscape(String raw, int at, int end, StringBuilder out) {
        int value = escaped(raw, at, end);
        if (value >= 0x80) {
            return Utf8Escapes.append(raw, at, end, out);
        }
        if (value < 0x20 || value == 0x7F || value == '/' || value == '\\') {
            throw new BadTarget("path holds a forbidden escape: " + raw.substring(at, at + 3));
        }
        if (unreserved(value)) {
            out.append((char) value);
        } else {
            escape(value, out);
        }
        return at + 3;
    }

    /** The byte written as {@code %XX} at a position. */
    static int escaped(String raw, int at, int end) {
        if (at + 3 > end || raw.charAt(at) != '%') {
            throw new BadTarget("path holds an incomplete escape");
        }
        int high = Character.digit(raw.charAt(at + 1), 16);
        int low = Character.digit(raw.charAt(at + 2), 16);
        if (high < 0 || low < 0 || raw.charAt(at + 1) >= 128 || raw.charAt(at + 2) >= 128) {
            throw new BadTarget("path holds an escape that is not hexadecimal");
        }
        return high << 4 | low;
    }

    static void escape(int value, StringBuilder out) {
        out.append('%').append(HEX[value >> 4 & 15]).append(HEX[value & 15]);
    }

    private static String shown(char c) {
        return c > 0x20 && c < 0x7F ? String.valueOf(c) : String.format("U+%04X", (int) c);
    }

    private static boolean unreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    private static byte[] classes() {
        byte[] classes = new byte[128];
        for (int c = 0; c < 128; c++) {
            boolean plain = unreserved(c) || "/!$&'()*+,;=:@".indexOf(c) >= 0;
            boolean refused = c <= 0x20 || c == 0x7F || c == '\\' || c == '?' || c == '#';
            classes[c] = (byte) (plain ? PLAIN : refused ? REFUSE : ESCAPE);
        }
        return classes;
    }
}
