package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import java.util.Arrays;
import java.util.stream.Collectors;

/** An enum constant with its word on the wire. */
interface Wire {
    String wire();

    default Json toJson() {
        return new Json.Str(wire());
    }

    static <E extends Enum<E> & Wire> Fields.Reader<E> reader(Class<E> type) {
        return (value, what) -> read(type, Fields.string(value, what), what);
    }

    private static <E extends Enum<E> & Wire> E read(Class<E> type, String word, String what) throws Refused {
        for (E constant : type.getEnumConstants()) {
            if (constant.wire().equals(word)) {
                return constant;
            }
        }
        String known = Arrays.stream(type.getEnumConstants()).map(Wire::wire).collect(Collectors.joining(", "));
        throw new Refused(
                dev.ron.ledger.Reason.MALFORMED, what + ": " + Quoted.of(word) + " (expected: " + known + ")");
    }
}
