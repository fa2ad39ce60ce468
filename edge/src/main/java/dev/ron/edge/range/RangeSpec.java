package dev.ron.edge.range;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One range as asked for, before the length is known: {@code a-b}, {@code a-} or {@code -n}. */
sealed interface RangeSpec {
    /** More would be an attack or a mistake. */
    int MAX_SPECS = 32;

    /** A Long has 19 digits; longer numbers are not sizes. */
    int MAX_DIGITS = 19;

    /** The bytes it means in a representation of that length, or nothing if there are none. */
    Optional<ByteRange> in(long length);

    /** From a byte to another, or to the end. */
    record FromTo(long first, long last) implements RangeSpec {
        @Override
        public Optional<ByteRange> in(long length) {
            return first >= length ? Optional.empty() : Optional.of(new ByteRange(first, Math.min(last, length - 1)));
        }
    }

    /** The last {@code count} bytes. */
    record Suffix(long count) implements RangeSpec {
        @Override
        public Optional<ByteRange> in(long length) {
            return count == 0 || length == 0
                    ? Optional.empty()
                    : Optional.of(new ByteRange(Math.max(0, length - count), length - 1));
        }
    }

    /** True if the field speaks of bytes; other units are none of ours and the field is as if absent. */
    static boolean isBytes(String field) {
        return field.toLowerCase(Locale.ROOT).startsWith("bytes=");
    }

    /** The ranges of a {@code bytes=} field; empty if it is malformed in any place (we parse strictly). */
    static List<RangeSpec> parse(String field) {
        List<RangeSpec> specs = new ArrayList<>();
        for (String element : field.substring("bytes=".length()).split(",", -1)) {
            String text = TagList.trim(element);
            if (text.isEmpty()) {
                continue; // RFC 9110, 5.6.1.2: empty list elements are to be ignored
            }
            Optional<RangeSpec> spec = parseOne(text);
            if (spec.isEmpty() || specs.size() == MAX_SPECS) {
                return List.of();
            }
            specs.add(spec.get());
        }
        return specs;
    }

    private static Optional<RangeSpec> parseOne(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        String left = text.substring(0, dash);
        String right = text.substring(dash + 1);
        boolean leftOk = isNumber(left);
        boolean rightOk = isNumber(right);
        if (left.isEmpty() && rightOk) {
            return Optional.of(new Suffix(number(right)));
        }
        if (leftOk && right.isEmpty()) {
            return Optional.of(new FromTo(number(left), Long.MAX_VALUE));
        }
        if (leftOk && rightOk && Long.compareUnsigned(exact(left), exact(right)) <= 0) {
            return Optional.of(new FromTo(number(left), number(right)));
        }
        return Optional.empty();
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(ch -> ch >= '0' && ch <= '9');
    }

    /** Nineteen digits may still exceed a long; such a number is as good as the largest. */
    private static long number(String digits) {
        long value = exact(digits);
        return value < 0 ? Long.MAX_VALUE : value;
    }

    /** Unsigned: as many digits as are allowed fit. */
    private static long exact(String digits) {
        return Long.parseUnsignedLong(digits);
    }
}
