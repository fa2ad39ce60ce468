package dev.ron.registry.stream;

import dev.ron.http.message.QueryParams;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Which commits a reader wants; empty sets want all, and what may concern a reader it gets. */
record Filter(Set<String> kinds, Set<String> ids) {

    static Filter of(QueryParams query) {
        return new Filter(words(query, "kinds"), words(query, "ids"));
    }

    private static Set<String> words(QueryParams query, String name) {
        Set<String> words = new HashSet<>();
        query.all(name)
                .forEach(list -> Arrays.stream(list.split(",", -1))
                        .filter(word -> !word.isEmpty())
                        .forEach(words::add));
        return words;
    }

    boolean wants(StreamEvent event) {
        return event.incomplete()
                || ((kinds.isEmpty() || event.kinds().stream().anyMatch(kinds::contains))
                        && (ids.isEmpty() || event.ids().stream().anyMatch(ids::contains)));
    }
}
