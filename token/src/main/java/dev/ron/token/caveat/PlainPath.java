package dev.ron.token.caveat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Tells whether a path means the same to everyone who reads it.
 *
 * <p>A prefix rule is only as good as the agreement on what the path is. Whatever some server could resolve, fold or
 * decode into another path (dot segments, also encoded or before {@code ;}, empty segments, encoded slashes) is
 * therefore never matched at all.
 */
public final class PlainPath {
    private PlainPath() {}

    public static boolean isPlain(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return false;
        }
        boolean escaped = false;
        int segment = 1;
        for (int i = 1; i <= path.length(); i++) {
            boolean end = i == path.length();
            char c = end ? '/' : path.charAt(i);
            if (c == '/') {
                boolean empty = i == segment;
                if ((empty && !end) || isDots(path, segment, i)) {
                    return false;
                }
                segment = i + 1;
            } else if (c == '%') {
                int value = escape(path, i);
                if (value <= 0 || value == '/' || value == '\\') {
                    return false;
                }
                escaped = true;
            } else if (c <= ' ' || c >= 0x7f || c == '\\' || c == '?' || c == '#') {
                return false;
            }
        }
        return !escaped || decodesToUtf8(path);
    }

    /** The byte an escape stands for, or -1 if it is cut or not hexadecimal. */
    private static int escape(String path, int at) {
        if (at + 2 >= path.length()) {
            return -1;
        }
        int high = Character.digit(path.charAt(at + 1), 16);
        int low = Character.digit(path.charAt(at + 2), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /** True for "." and "..", written plainly or as %2e, alone or followed by a path parameter. */
    private static boolean isDots(String path, int from, int to) {
        int dots = 0;
        int i = from;
        while (i < to) {
            char c = path.charAt(i);
            int width = 1;
            if (c == '%') {
                c = (char) escape(path, i);
                width = 3;
            }
            if (c == ';') {
                break;
            }
            if (c != '.') {
                return false;
            }
            dots++;
            i += width;
        }
        return dots == 1 || dots == 2;
    }

    private static boolean decodesToUtf8(String path) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '%') {
                bytes.write(escape(path, i));
                i += 2;
            } else {
                bytes.write(path.charAt(i));
            }
        }
        try {
            var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
