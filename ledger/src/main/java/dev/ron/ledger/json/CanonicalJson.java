package dev.ron.ledger.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;

/** Writes RFC 8785 text (sorted keys, no spaces, shortest escapes): the bytes that are hashed and signed. */
public final class CanonicalJson {
    private static final String HEX = "0123456789abcdef";

    private CanonicalJson() {}

    public static byte[] bytes(Json value) {
        return text(value).getBytes(StandardCharsets.UTF_8);
    }

    public static String text(Json value) {
        StringBuilder out = new StringBuilder(512);
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Json value) {
        switch (value) {
            case Json.Obj(SortedMap<String, Json> members) -> appendMembers(out, members);
            case Json.Arr(List<Json> items) -> appendItems(out, items);
            case Json.Str(String text) -> appendString(out, text);
            case Json.Int(long number) -> out.append(number);
            case Json.Bool(boolean flag) -> out.append(flag);
        }
    }

    private static void appendMembers(StringBuilder out, SortedMap<String, Json> members) {
        out.append('{');
        String separator = "";
        for (var member : members.entrySet()) {
            out.append(separator);
            appendString(out, member.getKey());
            out.append(':');
            append(out, member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void appendItems(StringBuilder out, List<Json> items) {
        out.append('[');
        String separator = "";
        for (Json item : items) {
            out.append(separator);
            append(out, item);
            separator = ",";
        }
        out.append(']');
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
                        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
