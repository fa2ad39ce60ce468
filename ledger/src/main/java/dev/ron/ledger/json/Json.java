package dev.ron.ledger.json;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A JSON value of the profile that is hashed and signed: no floats, no null, integers that every library reads alike.
 *
 * <p>A value of this type always has exactly one canonical text, so two equal values have equal hashes.
 */
public sealed interface Json {
    /** The largest integer that a double holds exactly, with all below it (2^53 - 1). */
    long MAX_INTEGER = (1L << 53) - 1;

    /** An object; the order of the text does not matter, members are kept sorted by UTF-16 code unit (RFC 8785 §3.2.3). */
    record Obj(SortedMap<String, Json> members) implements Json {
        public Obj {
            members.keySet().forEach(Json::requireWellFormed);
            members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        }

        public static Obj of(Map<String, Json> members) {
            return new Obj(new TreeMap<>(members));
        }
    }

    /** An array. */
    record Arr(List<Json> items) implements Json {
        public Arr {
            items = List.copyOf(items);
        }
    }

    /** A string; hashed as given, never Unicode-normalised. */
    record Str(String value) implements Json {
        public Str {
            requireWellFormed(value);
        }
    }

    /** An integer within ±(2^53 - 1). */
    record Int(long value) implements Json {
        public Int {
            if (value > MAX_INTEGER || value < -MAX_INTEGER) {
                throw new IllegalArgumentException("integer beyond 2^53-1: " + value);
            }
        }
    }

    /** True or false. */
    record Bool(boolean value) implements Json {}

    /** How many objects and arrays enclose the deepest value, itself included. */
    static int depth(Json value) {
        return switch (value) {
            case Obj(SortedMap<String, Json> members) ->
                1 + members.values().stream().mapToInt(Json::depth).max().orElse(0);
            case Arr(List<Json> items) ->
                1 + items.stream().mapToInt(Json::depth).max().orElse(0);
            case Str _, Int _, Bool _ -> 0;
        };
    }

    /** Names, values, and ends of objects and arrays: they tell what a value takes in memory, its text does not. */
    static int tokens(Json value) {
        return switch (value) {
            case Obj(SortedMap<String, Json> members) ->
                2
                        + members.size()
                        + members.values().stream().mapToInt(Json::tokens).sum();
            case Arr(List<Json> items) ->
                2 + items.stream().mapToInt(Json::tokens).sum();
            case Str _, Int _, Bool _ -> 1;
        };
    }

    /** False for text with a lone surrogate: it has no UTF-8 form, so encoders silently replace it. */
    static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static void requireWellFormed(String text) {
        if (!isWellFormed(text)) {
            throw new IllegalArgumentException("text with a lone surrogate");
        }
    }
}
