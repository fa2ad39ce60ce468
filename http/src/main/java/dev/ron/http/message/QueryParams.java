package dev.ron.http.message;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parameters of a query, in order, decoded. */
public final class QueryParams {
    private static final int MAX_PARAMETERS = 256;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    private QueryParams() {}

    /** Parses {@code a=1&b=2}; a broken escape is a bad request. */
    public static QueryParams parse(String query) {
        QueryParams result = new QueryParams();
        if (query.isEmpty()) {
            return result;
        }
        for (String pair : query.split("&", MAX_PARAMETERS)) {
            int equals = pair.indexOf('=');
            result.names.add(decode(equals < 0 ? pair : pair.substring(0, equals)));
            result.values.add(equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return result;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new RonException(Code.BAD_REQUEST, "query", "the query holds a broken escape");
        }
    }

    public Optional<String> first(String name) {
        int at = names.indexOf(name);
        return at < 0 ? Optional.empty() : Optional.of(values.get(at));
    }

    public List<String> all(String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** A parameter that is a whole number in a range; {@code absent} where it is not given. */
    public long number(String name, long absent, long min, long max) {
        Optional<String> text = first(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            long value = Long.parseLong(text.get());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // answered below, like a number out of range
        }
        throw new RonException(Code.BAD_REQUEST, "query", name + " (expected: " + min + ".." + max + ")");
    }

    public List<String> names() {
        return List.copyOf(names);
    }
}
