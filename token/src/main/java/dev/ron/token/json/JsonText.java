package dev.ron.token.json;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One walk over the bytes of a JSON text.
 *
 * <p>Ours because a token is parsed for every cold check: a library's parser spends most of its time on set-up, buffers
 * and a second set of names per object, more than on texts as short as these. Recursion ends at {@code maxDepth}, and a
 * text is as long as its sender's cap allows, so a walk is bounded both ways.
 */
final class JsonText {
    private static final long MAX_INTEGER = (1L << 53) - 1;
    private static final int MAX_NAME = 256;
    private static final int MAX_NUMBER = 64;

    /** The depth of a list that is a member of the object itself. */
    private static final int ROWS = 2;

    /** What stands after the last byte; no byte has this value. */
    private static final int END = 0x100;

    private final byte[] bytes;
    private final String what;
    private final int maxDepth;
    private final int maxString;
    private final boolean otherAllowed;
    private final Items rows;
    private int at;
    private int depth;

    /** The bytes must be UTF-8: parts of them are decoded without another look. */
    JsonText(byte[] bytes, String what, int maxDepth, int maxString, boolean otherAllowed, Items rows) {
        this.bytes = bytes;
        this.what = what;
        this.maxDepth = maxDepth;
        this.maxString = maxString;
        this.otherAllowed = otherAllowed;
        this.rows = rows;
    }

    /** Who takes the items of the object's lists as they come. */
    interface Items {
        /** False leaves the item in its list. */
        boolean take(Json item) throws Refused;
    }

    Json.Obj onlyObject() throws Refused {
        if (next() != '{') {
            throw malformed("is not a JSON object");
        }
        Json.Obj object = members();
        if (next() != END) {
            throw malformed("has text after its end");
        }
        return object;
    }

    private Json.Obj members() throws Refused {
        enter();
        Map<String, Json> members = new LinkedHashMap<>();
        int c = next();
        if (c != '}') {
            while (true) {
                expect(c, '"');
                String name = string(MAX_NAME);
                expect(next(), ':');
                if (members.put(name, value(next())) != null) {
                    throw malformed("has a name twice");
                }
                c = next();
                if (c == '}') {
                    break;
                }
                expect(c, ',');
                c = next();
            }
        }
        depth--;
        return new Json.Obj(members);
    }

    private Json.Arr items() throws Refused {
        enter();
        List<Json> items = new ArrayList<>();
        int c = next();
        if (c != ']') {
            while (true) {
                take(items, value(c));
                c = next();
                if (c == ']') {
                    break;
                }
                expect(c, ',');
                c = next();
            }
        }
        depth--;
        return new Json.Arr(items);
    }

    private void take(List<Json> items, Json item) throws Refused {
        if (depth > ROWS || !rows.take(item)) {
            items.add(item);
        }
    }

    private void enter() throws Refused {
        if (++depth > maxDepth) {
            throw malformed("is nested too deeply");
        }
    }

    private Json value(int first) throws Refused {
        return switch (first) {
            case '"' -> new Json.Str(string(maxString));
            case '{' -> members();
            case '[' -> items();
            case 't' -> literal("true", new Json.Bool(true));
            case 'f' -> literal("false", new Json.Bool(false));
            case 'n' -> literal("null", other());
            case END -> throw notStrict();
            default -> number();
        };
    }

    private Json literal(String text, Json value) throws Refused {
        for (int i = 1; i < text.length(); i++) {
            expect(take(), text.charAt(i));
        }
        return value;
    }

    private Json other() throws Refused {
        if (!otherAllowed) {
            throw malformed("has a null or a number that is not an integer");
        }
        return new Json.Other();
    }

    private Json number() throws Refused {
        int start = --at;
        if (peek() == '-') {
            at++;
        }
        int first = at;
        digits();
        if (bytes[first] == '0' && at > first + 1) {
            throw notStrict();
        }
        boolean integer = true;
        if (peek() == '.') {
            at++;
            digits();
            integer = false;
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
            integer = false;
        }
        if (at - start > MAX_NUMBER) {
            throw notStrict();
        }
        return integer ? integer(start) : other();
    }

    private void digits() throws Refused {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == start) {
            throw notStrict();
        }
    }

    private Json integer(int start) throws Refused {
        // 17 characters cannot overflow a long; what is longer is beyond the limit, whatever it is.
        long value = at - start > 17 ? Long.MAX_VALUE : Long.parseLong(ascii(start, at));
        if (value > MAX_INTEGER || value < -MAX_INTEGER) {
            throw malformed("has an integer beyond 2^53-1");
        }
        return new Json.Int(value);
    }

    /** After the opening quote. Nearly every string is plain ASCII and is taken as it stands. */
    private String string(int max) throws Refused {
        int start = at;
        boolean plain = true;
        while (true) {
            int c = take();
            if (c == '"') {
                break;
            }
            if (c == '\\') {
                return escaped(start, max);
            }
            if (c >= 0 && c < 0x20) {
                throw notStrict();
            }
            plain &= c >= 0;
        }
        return capped(plain ? ascii(start, at - 1) : utf8(start, at - 1), max);
    }

    /** A string with an escape in it: {@code start} is its first character, the escape's backslash is taken. */
    private String escaped(int start, int max) throws Refused {
        StringBuilder text = new StringBuilder();
        int from = start;
        for (int c = '\\'; c != '"'; c = take()) {
            if (c == '\\') {
                text.append(utf8(from, at - 1)).append(escape());
                from = at;
            } else if (c >= 0 && c < 0x20) {
                throw notStrict();
            }
        }
        String whole = text.append(utf8(from, at - 1)).toString();
        requirePairs(whole);
        return capped(whole, max);
    }

    private char escape() throws Refused {
        int c = take();
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw notStrict();
        };
    }

    private char unit() throws Refused {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int c = take();
            int digit = c < 0 ? -1 : Character.digit(c, 16);
            if (digit < 0) {
                throw notStrict();
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }

    /** UTF-8 has no lone surrogates; escapes can spell them. */
    private void requirePairs(String text) throws Refused {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!pair) {
                    throw malformed("has a lone surrogate");
                }
                i++;
            }
        }
    }

    private String capped(String text, int max) throws Refused {
        if (text.length() > max) {
            throw malformed("has a string of more than " + max + " characters");
        }
        return text;
    }

    private String ascii(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private String utf8(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** The next byte that is not white space, taken. */
    private int next() {
        while (at < bytes.length) {
            byte c = bytes[at++];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return c;
            }
        }
        return END;
    }

    private int peek() {
        return at < bytes.length ? bytes[at] : END;
    }

    /** The next byte as it is, negative beyond ASCII; an end here is inside something. */
    private int take() throws Refused {
        if (at == bytes.length) {
            throw notStrict();
        }
        return bytes[at++];
    }

    private void expect(int found, int expected) throws Refused {
        if (found != expected) {
            throw notStrict();
        }
    }

    private Refused notStrict() {
        return malformed("is not strict JSON");
    }

    private Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED, what + " " + problem);
    }
}
