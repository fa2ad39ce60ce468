package dev.ron.ledger.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes RFC 8785 bytes without a tree in between, for objects whose members are known when the code is written.
 *
 * <p>The members must come in the order of their names; one out of order is a mistake of the code and is refused, so what
 * comes out is canonical or does not come out.
 */
public final class CanonicalWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST_SIZE = 512;
    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_CHARACTER = 6;

    private byte[] out = new byte[FIRST_SIZE];
    private int size;
    private @Nullable String last;

    /** The bytes of one object. */
    public static byte[] object(Consumer<CanonicalWriter> members) {
        CanonicalWriter writer = new CanonicalWriter();
        writer.write(members);
        return writer.bytes();
    }

    public byte[] bytes() {
        return Arrays.copyOf(out, size);
    }

    public CanonicalWriter put(String name, String value) {
        return name(name).write(value);
    }

    public CanonicalWriter put(String name, long value) {
        return name(name).write(value);
    }

    public CanonicalWriter put(String name, boolean value) {
        return name(name).ascii(value ? "true" : "false");
    }

    public CanonicalWriter put(String name, Json value) {
        return name(name).write(value);
    }

    public CanonicalWriter putIf(String name, Optional<String> value) {
        return value.isPresent() ? put(name, value.get()) : this;
    }

    /** A member whose canonical bytes are there already. */
    public CanonicalWriter putWritten(String name, byte[] canonical) {
        return name(name).written(canonical);
    }

    public CanonicalWriter put(String name, Consumer<CanonicalWriter> members) {
        return name(name).write(members);
    }

    public <T> CanonicalWriter putAll(String name, List<T> items, BiConsumer<CanonicalWriter, T> form) {
        return name(name).write(items, form);
    }

    /** A value that stands alone or in a list. */
    public CanonicalWriter write(Json value) {
        return switch (value) {
            case Json.Obj(var members) ->
                write((CanonicalWriter object) -> members.forEach((name, member) -> object.put(name, member)));
            case Json.Arr(List<Json> items) -> write(items, CanonicalWriter::write);
            case Json.Str(String text) -> write(text);
            case Json.Int(long number) -> write(number);
            case Json.Bool(boolean flag) -> ascii(flag ? "true" : "false");
        };
    }

    public CanonicalWriter write(String text) {
        one('"');
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') {
                one(c);
            } else if (c < 0x80) {
                escaped(c);
            } else {
                int point = codePoint(text, i);
                i += Character.charCount(point) - 1;
                utf8(point);
            }
        }
        return one('"');
    }

    public CanonicalWriter write(long number) {
        room(LONGEST_NUMBER);
        if (number < 0) {
            return ascii(Long.toString(number));
        }
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int at = size + digits;
        long rest = number;
        do {
            out[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        size += digits;
        return this;
    }

    /** A value whose canonical bytes are there already. */
    public CanonicalWriter written(byte[] canonical) {
        room(canonical.length);
        System.arraycopy(canonical, 0, out, size, canonical.length);
        size += canonical.length;
        return this;
    }

    public CanonicalWriter write(Consumer<CanonicalWriter> members) {
        String outer = last;
        last = null;
        one('{');
        members.accept(this);
        last = outer;
        return one('}');
    }

    public <T> CanonicalWriter write(List<T> items, BiConsumer<CanonicalWriter, T> form) {
        one('[');
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                one(',');
            }
            form.accept(this, items.get(i));
        }
        return one(']');
    }

    private CanonicalWriter name(String name) {
        String before = last;
        if (before != null) {
            if (before.compareTo(name) >= 0) {
                throw new IllegalArgumentException("member " + name + " after " + before);
            }
            one(',');
        }
        last = name;
        return write(name).one(':');
    }

    private void escaped(char c) {
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\b' -> ascii("\\b");
            case '\t' -> ascii("\\t");
            case '\n' -> ascii("\\n");
            case '\f' -> ascii("\\f");
            case '\r' -> ascii("\\r");
            default -> ascii("\\u00").one((char) HEX[c >> 4]).one((char) HEX[c & 0xf]);
        }
    }

    private static int codePoint(String text, int at) {
        int point = text.codePointAt(at);
        if (point <= 0xffff && Character.isSurrogate((char) point)) {
            throw new IllegalArgumentException("text with a lone surrogate");
        }
        return point;
    }

    private void utf8(int point) {
        room(LONGEST_CHARACTER);
        if (point < 0x800) {
            out[size++] = (byte) (0xc0 | (point >> 6));
        } else if (point < 0x10000) {
            out[size++] = (byte) (0xe0 | (point >> 12));
            out[size++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        } else {
            out[size++] = (byte) (0xf0 | (point >> 18));
            out[size++] = (byte) (0x80 | ((point >> 12) & 0x3f));
            out[size++] = (byte) (0x80 | ((point >> 6) & 0x3f));
        }
        out[size++] = (byte) (0x80 | (point & 0x3f));
    }

    private CanonicalWriter ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            one(text.charAt(i));
        }
        return this;
    }

    private CanonicalWriter one(char c) {
        if (size == out.length) {
            room(1);
        }
        out[size++] = (byte) c;
        return this;
    }

    private void room(int more) {
        if (out.length - size < more) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, Math.addExact(size, more)));
        }
    }
}
