package dev.ron.edge.pack.demo;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Names of places that exist nowhere, each given once; plain Latin letters, so that one glyph range shows them. */
final class Names {
    private static final List<String> FIRST = List.of(
            "Al", "Bre", "Cor", "Dan", "El", "Fa", "Gor", "Hal", "Is", "Ka", "Lo", "Mar", "Nor", "Or", "Pel", "Ros",
            "Sil", "Tor", "Ul", "Ver", "Wen", "Yar", "Zel");
    private static final List<String> MIDDLE = List.of("a", "e", "i", "o", "u", "an", "en", "il", "or", "um", "");
    private static final List<String> LAST = List.of(
            "bach", "berg", "by", "dale", "dor", "field", "ford", "grad", "ham", "haven", "mont", "mouth", "polis",
            "stad", "ton", "vik", "ville", "wick");

    private final Random random;
    private final Set<String> given = new HashSet<>();

    Names(Random random) {
        this.random = random;
    }

    String next() {
        String name;
        do {
            name = pick(FIRST) + pick(MIDDLE) + pick(LAST).toLowerCase(Locale.ROOT);
        } while (!given.add(name));
        return name;
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
