package dev.ron.edge.fill;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.range.HttpDate;
import dev.ron.http.message.Headers;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What an origin says of how long an object is good: kept beside the object, since a "not modified" says only what has
 * changed (RFC 9111, 3.2).
 *
 * @param lifetime the seconds that Cache-Control gives
 * @param expires what counts where Cache-Control gives none
 * @param ask whether it is to be asked about every time
 * @param strict whether it must not be served stale, whatever happens (RFC 9111, 4.2.4)
 */
public record Freshness(Optional<Integer> lifetime, Optional<Instant> expires, boolean ask, boolean strict) {
    static final Freshness NOTHING_SAID = new Freshness(Optional.empty(), Optional.empty(), false, false);

    /** With what an answer says anew: each of the two fields takes the place of the one there was. */
    Freshness with(Headers fields) {
        Optional<Instant> until = fields.contains("Expires")
                ? fields.first("Expires").map(text -> HttpDate.parse(text).orElse(Instant.EPOCH)) // no date has passed
                : expires;
        if (!fields.contains("Cache-Control")) {
            return new Freshness(lifetime, until, ask, strict);
        }
        Optional<Integer> shared = seconds(fields, "s-maxage");
        boolean asked = fields.hasToken("Cache-Control", "no-cache");
        return new Freshness(
                shared.or(() -> seconds(fields, "max-age")),
                until,
                asked,
                // A lifetime for shared caches alone forbids it too (RFC 9111, 5.2.2.10).
                asked
                        || shared.isPresent()
                        || fields.hasToken("Cache-Control", "must-revalidate")
                        || fields.hasToken("Cache-Control", "proxy-revalidate"));
    }

    /** For how many seconds an answer is good from now on, by the other fields of it. */
    long ttl(Headers fields, EdgeConfig.LiveFill rules, Instant now) {
        Optional<Long> age = age(fields);
        if (age.isEmpty() || ask) {
            return 0; // nobody knows how old it is, or it is to be asked about every time
        }
        Instant sent = fields.first("Date").flatMap(HttpDate::parse).orElse(now);
        long chosen = lifetime.map(Integer::longValue)
                .or(() -> expires.map(until -> until.getEpochSecond() - sent.getEpochSecond()))
                .map(life -> life - age.get())
                .orElse((long) rules.defaultTtlSecs());
        return Math.clamp(chosen, rules.minTtlSecs(), rules.maxTtlSecs());
    }

    /** How long the answer was in other caches; the most, where several say it, and nothing where one says no number. */
    static Optional<Long> age(Headers fields) {
        long most = 0;
        for (String line : fields.all("Age")) {
            for (String item : line.split(",", -1)) {
                if (!item.strip().matches("\\d{1,9}")) {
                    return Optional.empty();
                }
                most = Math.max(most, Long.parseLong(item.strip()));
            }
        }
        return Optional.of(most);
    }

    /** The first of that name; 0 where its value is no number, the largest where it is a longer one (RFC 9111, 1.2.2). */
    private static Optional<Integer> seconds(Headers fields, String name) {
        for (String line : fields.all("Cache-Control")) {
            for (String item : line.split(",", -1)) {
                int equals = item.indexOf('=');
                String said = equals < 0 ? item : item.substring(0, equals);
                if (said.strip().toLowerCase(Locale.ROOT).equals(name)) {
                    return Optional.of(
                            equals < 0 ? 0 : number(item.substring(equals + 1).strip()));
                }
            }
        }
        return Optional.empty();
    }

    private static int number(String text) {
        String plain = text.matches("\"[^\"]*\"") ? text.substring(1, text.length() - 1) : text;
        if (!plain.matches("\\d+")) {
            return 0;
        }
        String digits = plain.replaceFirst("^0+(?=\\d)", "");
        return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
