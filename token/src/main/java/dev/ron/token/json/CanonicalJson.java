package dev.ron.token.json;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes JSON in RFC 8785 form (sorted keys, no spaces), so that equal claims give equal bytes. */
public final class CanonicalJson {
    private CanonicalJson() {}

    public static String write(Json value) {
        StringBuilder out = new StringBuilder(256);
        append(out, value);
        return out.toString();
    }

    /** Writes at the end of what is there. */
    public static void append(StringBuilder out, Json value) {
        switch (value) {
            case Json.Obj(Map<String, Json> members) -> appendMembers(out, members);
            case Json.Arr(List<Json> items) -> appendItems(out, items);
            case Json.Str(String text) -> appendString(out, text);
            case Json.Int(long number) -> out.append(number);
            case Json.Bool(boolean flag) -> out.append(flag);
            case Json.Other() -> throw new IllegalArgumentException("null and fractions are never written");
        }
    }

    private static void appendMembers(StringBuilder out, Map<String, Json> members) {
        out.append('{');
        char before = 0;
        // String order is UTF-16 code unit order, which is the order RFC 8785 asks for.
        for (Map.Entry<String, Json> member : new TreeMap<>(members).entrySet()) {
            before = separate(out, before);
            appendString(out, member.getKey());
            out.append(':');
            append(out, member.getValue());
        }
        out.append('}');
    }

    private static void appendItems(StringBuilder out, List<Json> items) {
        out.append('[');
        char before = 0;
        for (Json item : items) {
            before = separate(out, before);
            append(out, item);
        }
        out.append(']');
    }

    private static char separate(StringBuilder out, char before) {
        if (before != 0) {
            out.append(before);
        }
        return ',';
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
