package dev.ron.edge.range;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Dates of RFC 9110, section 5.6.7: the one form to write, and the three to read. */
public final class HttpDate {
    private static final DateTimeFormatter FIXDATE = form("EEE, dd MMM uuuu HH:mm:ss 'GMT'");

    private static final List<DateTimeFormatter> FORMS = List.of(
            FIXDATE,
            // Two digits for the year: 1970 to 2069.
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.US)
                    .withResolverStyle(ResolverStyle.STRICT),
            form("EEE MMM ppd HH:mm:ss uuuu"));

    private HttpDate() {}

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).withResolverStyle(ResolverStyle.STRICT);
    }

    /** The instant of a date, or nothing if it is not one. */
    public static Optional<Instant> parse(String text) {
        for (DateTimeFormatter form : FORMS) {
            try {
                return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
            } catch (DateTimeException _) {
                // not in this form
            }
        }
        return Optional.empty();
    }

    public static String format(Instant instant) {
        return FIXDATE.format(LocalDateTime.ofInstant(seconds(instant), ZoneOffset.UTC));
    }

    /** Headers know whole seconds; comparing anything finer would never match. */
    static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }
}
