package dev.ron.edge.range;

import java.util.ArrayList;
import java.util.List;

/** Lists of entity tags in a field: {@code *}, or tags between commas (a comma may also stand inside a tag's quotes). */
record TagList(boolean any, List<EntityTag> tags) {
    static final int MAX_TAGS = 32;
    static final int MAX_CHARS = 4096;

    private static final TagList NONE = new TagList(false, List.of());

    /**
     * Reads a field. A malformed one matches nothing, which is safe both ways: {@code If-Match} then fails, and
     * {@code If-None-Match} sends the bytes.
     */
    static TagList parse(String field) {
        if (trim(field).equals("*")) {
            return new TagList(true, List.of());
        }
        List<EntityTag> tags = new ArrayList<>();
        int at = 0;
        boolean separated = true;
        while (at < field.length()) {
            char ch = field.charAt(at);
            if (ch == ' ' || ch == '\t') {
                at++;
            } else if (ch == ',') {
                separated = true;
                at++;
            } else {
                int open = field.startsWith("W/", at) ? at + 2 : at;
                int close = separated ? tagEnd(field, open) : -1;
                if (close < 0) {
                    return NONE;
                }
                tags.add(new EntityTag(open != at, field.substring(open + 1, close)));
                separated = false;
                at = close + 1;
            }
        }
        return new TagList(false, List.copyOf(tags));
    }

    /** Where the quoted tag that opens at {@code open} closes, or -1. */
    private static int tagEnd(String field, int open) {
        if (open >= field.length() || field.charAt(open) != '"') {
            return -1;
        }
        int at = open + 1;
        while (at < field.length() && EntityTag.isTagChar(field.charAt(at))) {
            at++;
        }
        return at < field.length() && field.charAt(at) == '"' ? at : -1;
    }

    boolean isTooLong() {
        return tags.size() > MAX_TAGS;
    }

    boolean matchesStrongly(EntityTag tag) {
        return any || tags.stream().anyMatch(tag::matchesStrongly);
    }

    boolean matchesWeakly(EntityTag tag) {
        return any || tags.stream().anyMatch(tag::matchesWeakly);
    }

    /** Without the white space that RFC 9110 allows around list elements: spaces and tabs only. */
    static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char ch) {
        return ch == ' ' || ch == '\t';
    }
}
