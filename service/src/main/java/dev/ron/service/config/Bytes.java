package dev.ron.service.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A size in bytes; written {@code 64KiB}, {@code 10MB} or {@code 512B}. */
public record Bytes(long count) implements Comparable<Bytes> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(B|KB|MB|GB|KiB|MiB|GiB)");
    private static final String[] BINARY = {"GiB", "MiB", "KiB"};

    public Bytes {
        if (count < 0) {
            throw new IllegalArgumentException("a size is never negative: " + count);
        }
    }

    public static Bytes of(long count) {
        return new Bytes(count);
    }

    public static Bytes kib(long count) {
        return new Bytes(Math.multiplyExact(count, 1L << 10));
    }

    public static Bytes mib(long count) {
        return new Bytes(Math.multiplyExact(count, 1L << 20));
    }

    public static Bytes parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not a size: " + text);
        }
        try {
            return new Bytes(Math.multiplyExact(Long.parseLong(m.group(1)), unit(m.group(2))));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("a size too large to count: " + text, e);
        }
    }

    /** The count as an int, for array sizes; larger counts give the largest int. */
    public int intCount() {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    private static long unit(String name) {
        return switch (name) {
            case "KB" -> 1_000L;
            case "MB" -> 1_000_000L;
            case "GB" -> 1_000_000_000L;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            default -> 1L;
        };
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compare(count, other.count);
    }

    /** The shortest exact form, which parses back to the same size. */
    @Override
    public String toString() {
        if (count > 0) {
            for (String name : BINARY) {
                if (count % unit(name) == 0) {
                    return count / unit(name) + name;
                }
            }
        }
        return count + "B";
    }
}
