package dev.ron.edge.range;

import java.util.Optional;
import java.util.function.Function;

/** The fields of a request that decide what of a representation is sent; several lines of a field joined by commas. */
public record Conditions(
        Optional<String> ifMatch,
        Optional<String> ifUnmodifiedSince,
        Optional<String> ifNoneMatch,
        Optional<String> ifModifiedSince,
        Optional<String> ifRange,
        Optional<String> range) {

    /** A request that asks for the whole. */
    public static final Conditions NONE = from(_ -> Optional.empty());

    /** Takes them from a look-up of fields by lower-case name. */
    public static Conditions from(Function<String, Optional<String>> field) {
        return new Conditions(
                field.apply("if-match"),
                field.apply("if-unmodified-since"),
                field.apply("if-none-match"),
                field.apply("if-modified-since"),
                field.apply("if-range"),
                field.apply("range"));
    }
}
