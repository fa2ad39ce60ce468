package dev.ron.service.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One kind of single value: how it is read from a text or a TOML value, and how it is written.
 *
 * @param expected what a user should have written
 * @param allowed the words of an enumeration, else empty
 */
record Scalar<T>(
        Class<T> type,
        String expected,
        String jsonType,
        List<String> allowed,
        Function<String, T> fromText,
        Function<Object, T> fromToml,
        Function<T, String> write) {

    static final Scalar<String> STRING =
            new Scalar<>(String.class, "a string", "string", List.of(), s -> s, v -> (String) v, s -> s);
    static final Scalar<Boolean> BOOLEAN = new Scalar<>(
            Boolean.class, "true or false", "boolean", List.of(), Scalar::bool, v -> (Boolean) v, String::valueOf);
    static final Scalar<Integer> INT = new Scalar<>(
            Integer.class,
            "an integer",
            "integer",
            List.of(),
            Integer::parseInt,
            v -> Math.toIntExact((Long) v),
            String::valueOf);
    static final Scalar<Long> LONG = new Scalar<>(
            Long.class, "an integer", "integer", List.of(), Long::parseLong, v -> (Long) v, String::valueOf);
    static final Scalar<Double> DOUBLE = new Scalar<>(
            Double.class,
            "a number",
            "number",
            List.of(),
            s -> finite(Double.parseDouble(s)),
            v -> finite(v instanceof Long l ? (double) l : (Double) v),
            String::valueOf);
    static final Scalar<Duration> DURATION =
            text(Duration.class, "a duration such as 250ms, 5s, 3m or 1h", Durations::parse, Durations::format);
    static final Scalar<Bytes> BYTES =
            text(Bytes.class, "a size such as 512B, 64KiB or 10MB", Bytes::parse, Bytes::toString);
    static final Scalar<HostPort> HOST_PORT =
            text(HostPort.class, "host:port such as 127.0.0.1:8080", HostPort::parse, HostPort::toString);
    static final Scalar<Path> PATH = text(Path.class, "a path", Scalar::path, Path::toString);
    static final Scalar<URI> URL = text(URI.class, "a URL such as http://127.0.0.1:8080", Scalar::url, URI::toString);
    static final Scalar<Secret> SECRET = text(Secret.class, "a secret", Secret::of, _ -> "***");

    private static final List<Scalar<?>> ALL =
            List.of(STRING, BOOLEAN, INT, LONG, DOUBLE, DURATION, BYTES, HOST_PORT, PATH, URL, SECRET);

    /** The scalar for a Java type, or empty when the type is not a single value. */
    static Optional<Scalar<?>> of(Class<?> type) {
        if (type.isEnum()) {
            return Optional.of(words(type.asSubclass(Enum.class)));
        }
        Class<?> boxed = type == int.class
                ? Integer.class
                : type == long.class
                        ? Long.class
                        : type == boolean.class ? Boolean.class : type == double.class ? Double.class : type;
        return ALL.stream().filter(s -> s.type == boxed).findFirst();
    }

    /** The same kind where the key's name gives the unit, so that a bare integer is clear: {@code _bytes _ms _secs}. */
    Scalar<?> forKey(String key) {
        if (type == Bytes.class && key.endsWith("_bytes")) {
            return withIntegers(BYTES, Bytes::of);
        }
        if (type == Duration.class && key.endsWith("_ms")) {
            return withIntegers(DURATION, Duration::ofMillis);
        }
        if (type == Duration.class && key.endsWith("_secs")) {
            return withIntegers(DURATION, Duration::ofSeconds);
        }
        return this;
    }

    boolean isSecret() {
        return type == Secret.class;
    }

    /** Reads a text; any {@link IllegalArgumentException} means "not what is expected". */
    T parse(String text) {
        return fromText.apply(text);
    }

    /** Reads a TOML value; a value of another TOML type is refused, not converted. */
    T convert(Object toml) {
        try {
            return fromToml.apply(toml);
        } catch (ClassCastException | ArithmeticException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }

    String show(Object value) {
        return write.apply(type.cast(value));
    }

    private static <T> Scalar<T> text(
            Class<T> type, String expected, Function<String, T> parse, Function<T, String> write) {
        return new Scalar<>(type, expected, "string", List.of(), parse, v -> parse.apply((String) v), write);
    }

    private static <T> Scalar<T> withIntegers(Scalar<T> s, Function<Long, T> unit) {
        Function<String, T> text = t -> t.matches("\\d{1,15}") ? unit.apply(Long.valueOf(t)) : s.parse(t);
        Function<Object, T> toml = v -> v instanceof Long l ? unit.apply(l) : s.convert(v);
        return new Scalar<>(s.type, s.expected, s.jsonType, s.allowed, text, toml, s.write);
    }

    // The class is an enum by the caller's check; the bound cannot be written without knowing which.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Scalar<?> words(Class<? extends Enum> type) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(e -> word((Enum<?>) e))
                .toList();
        Function<String, Enum> parse = s -> {
            int at = words.indexOf(s);
            if (at < 0) {
                throw new IllegalArgumentException(s);
            }
            return type.getEnumConstants()[at];
        };
        String expected = words.stream().collect(Collectors.joining(", "));
        return new Scalar(type, expected, "string", words, parse, v -> parse.apply((String) v), e -> word((Enum<?>) e));
    }

    private static String word(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT);
    }

    private static Boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Double finite(double d) {
        if (Double.isNaN(d) || Double.isInfinite(d)) {
            throw new IllegalArgumentException("not finite");
        }
        return d;
    }

    private static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty path");
        }
        return Path.of(text);
    }

    private static URI url(String text) {
        URI uri = URI.create(text);
        if (uri.getScheme() == null || uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("not an absolute URL without user-info: " + text);
        }
        return uri;
    }
}
