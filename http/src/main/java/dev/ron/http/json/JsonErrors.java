package dev.ron.http.json;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Turns the parser's exceptions into {@link JsonError}s in our own words: theirs name classes and settings. */
final class JsonErrors {
    private static final int MAX_SHOWN = 40;

    private JsonErrors() {}

    static JsonError of(JacksonException e, JsonParser parser) {
        TokenStreamLocation place = e.getLocation();
        boolean known = place != null && place.getLineNr() > 0;
        return at(known ? place : parser.currentTokenLocation(), path(e), problem(e));
    }

    static JsonError at(JsonParser parser, String problem) {
        return at(parser.currentTokenLocation(), "", problem);
    }

    private static JsonError at(TokenStreamLocation place, String path, String problem) {
        return new JsonError(Math.max(0, place.getLineNr()), Math.max(0, place.getColumnNr()), path, problem);
    }

    static JsonError badText(byte[] document, int offset, int at) {
        int line = 1;
        int start = offset;
        for (int i = offset; i < at; i++) {
            if (document[i] == '\n') {
                line++;
                start = i + 1;
            }
        }
        return new JsonError(line, at - start + 1, "", "not valid UTF-8, or half a surrogate pair");
    }

    private static String problem(JacksonException e) {
        return switch (e) {
            case UnrecognizedPropertyException unknown ->
                "unknown field" + nearest(unknown.getPropertyName(), unknown.getKnownPropertyIds());
            case StreamConstraintsException _ -> "too deep, too long, or too many values";
            case InvalidNullException _ -> "must not be null";
            case InvalidFormatException format -> "expected " + expected(format.getTargetType());
            case MismatchedInputException mismatch -> mismatch(mismatch);
            case ValueInstantiationException refused -> refused(refused);
            case StreamReadException syntax -> syntax(syntax);
            default -> "not a valid document";
        };
    }

    private static String mismatch(MismatchedInputException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (message.startsWith("Missing required creator property")) {
            return "missing";
        }
        if (message.startsWith("Null value for creator property") || message.contains("map `null`")) {
            return "must not be null";
        }
        if (message.startsWith("Trailing token")) {
            return "text after the document";
        }
        if (message.startsWith("No content")) {
            return "the document is empty";
        }
        if (message.startsWith("Duplicate")) {
            return "duplicate field";
        }
        return "expected " + expected(e.getTargetType());
    }

    private static String syntax(StreamReadException e) {
        return String.valueOf(e.getOriginalMessage()).startsWith("Duplicate") ? "duplicate field" : "not valid JSON";
    }

    /** A record's own check may speak to the client: its IllegalArgumentException says the value and what is expected. */
    private static String refused(ValueInstantiationException e) {
        Throwable cause = e.getCause();
        return cause instanceof IllegalArgumentException && cause.getMessage() != null
                ? cause.getMessage()
                : "value not accepted";
    }

    private static String expected(Class<?> type) {
        if (type == null) {
            return "another type";
        }
        if (type.isEnum()) {
            return "one of " + Arrays.toString(type.getEnumConstants());
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return "a whole number in range";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a finite number";
        }
        if (type == String.class || type.getName().startsWith("java.time")) {
            return "a string in the right form";
        }
        return Collection.class.isAssignableFrom(type) || type.isArray() ? "a list" : "an object";
    }

    private static String nearest(String name, Collection<Object> known) {
        Optional<String> best = known.stream()
                .map(String::valueOf)
                .filter(candidate -> distance(name, candidate) <= 2)
                .findFirst();
        return best.map(word -> " (did you mean " + word + "?)").orElse("");
    }

    private static int distance(String a, String b) {
        if (a.length() > MAX_SHOWN || b.length() > MAX_SHOWN) {
            return Integer.MAX_VALUE;
        }
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private static String path(JacksonException e) {
        StringBuilder path = new StringBuilder();
        List<JacksonException.Reference> steps = e.getPath();
        for (JacksonException.Reference step : steps) {
            String name = step.getPropertyName();
            if (name == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(shown(name));
            }
        }
        return path.toString();
    }

    /** A field name as the client sent it, cut and without control characters: it may end in a log. */
    private static String shown(String name) {
        String cut = name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) + "…" : name;
        return cut.chars()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
