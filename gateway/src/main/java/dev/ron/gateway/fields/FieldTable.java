package dev.ron.gateway.fields;

import dev.ron.http.message.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says what is done with a header field by its name, without making a String of it.
 *
 * <p>Names are compared without case, and an underscore counts as a hyphen: some servers turn both into the same
 * variable, so {@code X_User} must fare like {@code X-User}.
 */
final class FieldTable {
    /** What is done with a field. */
    enum Rule {
        PASS,
        DROP,
        /** Dropped, and the fields it names with it. */
        CONNECTION,
        /** Passed with our own name added. */
        VIA
    }

    private final @Nullable String[] names;
    private final Rule[] rules;
    private final int mask;
    private final List<String> droppedPrefixes;

    FieldTable(Map<String, Rule> byName, List<String> droppedPrefixes) {
        int size = Integer.highestOneBit(Math.max(8, byName.size())) * 4;
        names = new String[size];
        rules = new Rule[size];
        mask = size - 1;
        byName.forEach(this::put);
        this.droppedPrefixes = List.copyOf(droppedPrefixes);
    }

    /** Adds to a table of names what a configuration calls identity; a name that ends in * is a prefix. */
    static FieldTable with(Map<String, Rule> fixed, List<String> dropped) {
        Map<String, Rule> byName = new java.util.HashMap<>(fixed);
        List<String> prefixes = new ArrayList<>();
        for (String name : dropped) {
            String folded = name.toLowerCase(Locale.ROOT).replace('_', '-');
            if (folded.endsWith("*")) {
                prefixes.add(folded.substring(0, folded.length() - 1));
            } else {
                byName.putIfAbsent(folded, Rule.DROP);
            }
        }
        return new FieldTable(byName, prefixes);
    }

    private void put(String name, Rule rule) {
        int hash = 0;
        for (int k = 0; k < name.length(); k++) {
            hash = 31 * hash + name.charAt(k);
        }
        int slot = spread(hash);
        while (names[slot] != null) {
            slot = (slot + 1) & mask;
        }
        names[slot] = name;
        rules[slot] = rule;
    }

    private int spread(int hash) {
        return (hash ^ (hash >>> 16)) & mask;
    }

    Rule rule(Headers headers, int i) {
        int length = headers.nameLength(i);
        int hash = 0;
        for (int k = 0; k < length; k++) {
            hash = 31 * hash + folded(headers, i, k);
        }
        for (int slot = spread(hash); ; slot = (slot + 1) & mask) {
            String name = names[slot];
            if (name == null) {
                return hasDroppedPrefix(headers, i, length) ? Rule.DROP : Rule.PASS;
            }
            if (name.length() == length && startsWith(headers, i, name)) {
                return rules[slot];
            }
        }
    }

    /**
     * Copies the fields that pass.
     *
     * @param oneHop what the head of the same message declares to be for one hop only
     */
    void copyPassing(Headers from, List<String> oneHop, Headers.Builder to) {
        for (int i = 0; i < from.size(); i++) {
            if (rule(from, i) == Rule.PASS && (oneHop.isEmpty() || !ConnectionTokens.names(oneHop, from, i))) {
                to.copy(from, i);
            }
        }
    }

    /** The fields behind a body that pass: no more may be said there than in the head. */
    Headers trailers(Headers head, Headers from) {
        if (from.size() == 0) {
            return Headers.NONE;
        }
        Headers.Builder to = new Headers.Builder();
        copyPassing(from, ConnectionTokens.of(head), to);
        return to.build();
    }

    private boolean hasDroppedPrefix(Headers headers, int i, int length) {
        for (int p = 0; p < droppedPrefixes.size(); p++) {
            String prefix = droppedPrefixes.get(p);
            if (length >= prefix.length() && startsWith(headers, i, prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(Headers headers, int i, String start) {
        for (int k = 0; k < start.length(); k++) {
            if (folded(headers, i, k) != start.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    private static int folded(Headers headers, int i, int k) {
        byte c = headers.nameAt(i, k);
        return c == '_' ? '-' : c;
    }
}
