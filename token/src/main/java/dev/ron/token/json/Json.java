package dev.ron.token.json;

import java.util.List;
import java.util.Map;

/** A parsed JSON value, as small as the formats here need. */
public sealed interface Json {
    /** An object; members keep the order of the text. The map is taken over, not copied: its maker keeps no hold of it. */
    record Obj(Map<String, Json> members) implements Json {
        public Obj {
            members = java.util.Collections.unmodifiableMap(members);
        }
    }

    /** An array. */
    record Arr(List<Json> items) implements Json {
        public Arr {
            items = List.copyOf(items);
        }

        public static Arr ofStrings(List<String> strings) {
            return new Arr(strings.stream().map(s -> (Json) new Str(s)).toList());
        }
    }

    /** A string. */
    record Str(String value) implements Json {}

    /** An integer within ±(2^53 - 1), so that every JSON library reads the same number. */
    record Int(long value) implements Json {}

    /** True or false. */
    record Bool(boolean value) implements Json {}

    /** Null or a number with a fraction: only foreign claim sets have these, and nothing here reads them. */
    record Other() implements Json {}
}
