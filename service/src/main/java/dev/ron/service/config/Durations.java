package dev.ron.service.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a duration is written: {@code 250ms 5s 3m 1h}, always with its unit. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ns|us|ms|s|m|h|d)");

    // Every duration ends up on a nanosecond clock: what does not fit there (292 years) is a typing error.
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    public static Duration parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not a duration: " + text);
        }
        long n = Long.parseLong(m.group(1));
        try {
            Duration d = switch (m.group(2)) {
                case "ns" -> Duration.ofNanos(n);
                case "us" -> Duration.ofNanos(Math.multiplyExact(n, 1_000L));
                case "ms" -> Duration.ofMillis(n);
                case "m" -> Duration.ofMinutes(n);
                case "h" -> Duration.ofHours(n);
                case "d" -> Duration.ofDays(n);
                default -> Duration.ofSeconds(n);
            };
            if (d.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("a duration too long to measure: " + text);
            }
            return d;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("a duration too long to measure: " + text, e);
        }
    }

    /** The largest unit that is exact, so that the text parses back to the same duration. */
    public static String format(Duration d) {
        long nanos = d.toNanos();
        if (nanos == 0) {
            return "0s";
        }
        if (nanos % 1_000 != 0) {
            return nanos + "ns";
        }
        if (nanos % 1_000_000 != 0) {
            return nanos / 1_000 + "us";
        }
        long millis = nanos / 1_000_000;
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3_600 != 0 ? seconds / 60 + "m" : seconds / 3_600 + "h";
    }
}
