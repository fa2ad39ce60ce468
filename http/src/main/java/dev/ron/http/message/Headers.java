package dev.ron.http.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Header fields in order, names compared without case; immutable.
 *
 * <p>The fields stay the bytes they were sent as, with the places of names and values beside them: a field becomes a
 * String only when someone asks for it, and a block that was built is sent with one copy.
 */
public final class Headers {
    public static final Headers NONE = new Headers(new byte[0], new int[0], 0);

    private final byte[] text;
    private final int[] spans; // name start, name end, value start, value end of each field
    private final int count;
    private final int lengths; // of the names, a bit each: most names that are looked for are not there

    /** Takes the arrays over; {@code spans} holds four places for each of {@code count} fields. */
    public Headers(byte[] text, int[] spans, int count) {
        this.text = text;
        this.spans = spans;
        this.count = count;
        int seen = 0;
        for (int i = 0; i < count; i++) {
            seen |= 1 << nameLength(i);
        }
        this.lengths = seen;
    }

    /** Fields from names and values in turn. */
    public static Headers of(String... namesAndValues) {
        Builder builder = new Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            builder.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return builder.build();
    }

    public int size() {
        return count;
    }

    public String name(int i) {
        return string(spans[4 * i], spans[4 * i + 1]);
    }

    public String value(int i) {
        return string(spans[4 * i + 2], spans[4 * i + 3]);
    }

    public int nameLength(int i) {
        return spans[4 * i + 1] - spans[4 * i];
    }

    /** A character of a name, in lower case: for rules that look at every field and should not make Strings of them. */
    public byte nameAt(int i, int k) {
        return (byte) lower(text[spans[4 * i] + k]);
    }

    /** Whether a value is exactly these bytes: for rules on the hot path that should not make a String of it. */
    public boolean valueIs(int i, byte[] value) {
        return Arrays.equals(text, spans[4 * i + 2], spans[4 * i + 3], value, 0, value.length);
    }

    /** The value of the first field of that name. */
    public Optional<String> first(String name) {
        int i = indexOf(name, 0);
        return i < 0 ? Optional.empty() : Optional.of(value(i));
    }

    public List<String> all(String name) {
        List<String> values = new ArrayList<>(2);
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    /** The place of the next field of that name at or after {@code from}, or -1. */
    public int indexOf(String name, int from) {
        if ((lengths >>> name.length() & 1) == 0) {
            return -1;
        }
        for (int i = from; i < count; i++) {
            int start = spans[4 * i];
            if (spans[4 * i + 1] - start == name.length() && sameName(start, name)) {
                return i;
            }
        }
        return -1;
    }

    private boolean sameName(int start, String name) {
        for (int k = 0; k < name.length(); k++) {
            if (lower(text[start + k]) != lower((byte) name.charAt(k))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    /** Whether a list-valued field ({@code Connection}, {@code Upgrade}) holds a token, compared without case. */
    public boolean hasToken(String name, String token) {
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            for (String item : value(i).split(",", -1)) {
                if (item.strip().equalsIgnoreCase(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    private String string(int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** The field lines as they go over the wire, each ended by CRLF; for a block made by a {@link Builder}. */
    public byte[] wire() {
        return text;
    }

    public Builder toBuilder() {
        Builder builder = new Builder();
        for (int i = 0; i < count; i++) {
            builder.add(name(i), value(i));
        }
        return builder;
    }

    /** Names and values of credentials never reach a log. */
    @Override
    public String toString() {
        return count + " header fields";
    }

    /** Collects fields to send; a name or value that could break the framing is refused. */
    public static final class Builder {
        private byte[] text = new byte[128];
        private int length;
        private int[] spans = new int[16];
        private int count;

        public Builder add(String name, String value) {
            check(name, value);
            room(name.length() + value.length() + 4);
            int at = next();
            spans[at] = length;
            append(name);
            spans[at + 1] = length;
            append(": ");
            spans[at + 2] = length;
            append(value);
            spans[at + 3] = length;
            append("\r\n");
            return this;
        }

        /** Adds a field of a block that was read, byte for byte. */
        public Builder copy(Headers from, int i) {
            int nameStart = from.spans[4 * i];
            int nameBytes = from.spans[4 * i + 1] - nameStart;
            int valueStart = from.spans[4 * i + 2];
            int valueBytes = from.spans[4 * i + 3] - valueStart;
            room(nameBytes + valueBytes + 4);
            int at = next();
            spans[at] = length;
            append(from.text, nameStart, nameBytes);
            spans[at + 1] = length;
            append(": ");
            spans[at + 2] = length;
            append(from.text, valueStart, valueBytes);
            spans[at + 3] = length;
            append("\r\n");
            return this;
        }

        private void append(byte[] part, int start, int count) {
            System.arraycopy(part, start, text, length, count);
            length += count;
        }

        private int next() {
            if (spans.length < 4 * count + 4) {
                spans = Arrays.copyOf(spans, 2 * spans.length);
            }
            return 4 * count++;
        }

        private static void check(String name, String value) {
            boolean good = !name.isEmpty() && value.strip().length() == value.length();
            for (int i = 0; good && i < name.length(); i++) {
                good = Octets.isToken(name.charAt(i));
            }
            for (int i = 0; good && i < value.length(); i++) {
                good = Octets.isFieldValue(value.charAt(i));
            }
            if (!good) {
                throw new IllegalArgumentException(
                        "header \"" + name + "\" (expected: a token, and a value without control characters)");
            }
        }

        private void room(int more) {
            if (text.length - length < more) {
                text = Arrays.copyOf(text, Math.max(2 * text.length, length + more));
            }
        }

        private void append(String part) {
            for (int i = 0; i < part.length(); i++) {
                text[length++] = (byte) part.charAt(i);
            }
        }

        public Headers build() {
            return new Headers(Arrays.copyOf(text, length), Arrays.copyOf(spans, 4 * count), count);
        }
    }
}
