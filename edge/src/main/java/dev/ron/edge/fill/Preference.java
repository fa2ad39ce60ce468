package dev.ron.edge.fill;

import dev.ron.http.message.Headers;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How long a request wants to wait for a fetch, and whether it would rather be told to come back (RFC 7240).
 *
 * @param most the most it waits; nothing without a preference
 */
record Preference(boolean async, Optional<Duration> most) {

    static Preference of(Headers headers) {
        boolean async = false;
        Optional<Duration> most = Optional.empty();
        for (String line : headers.all("Prefer")) {
            for (String item : line.split(",", -1)) {
                String text = item.strip().toLowerCase(Locale.ROOT);
                async |= text.equals("respond-async");
                if (most.isEmpty() && text.matches("wait\\s*=\\s*\"?\\d{1,5}\"?")) {
                    most = Optional.of(Duration.ofSeconds(Long.parseLong(text.replaceAll("\\D", ""))));
                }
            }
        }
        return new Preference(async, most);
    }

    /** Whether nobody has to wait at all. */
    boolean atOnce() {
        return async && most.map(Duration::isZero).orElse(true);
    }

    /** As Preference-Applied says it. */
    String applied() {
        String waited = most.map(limit -> "wait=" + limit.toSeconds()).orElse("");
        return async ? waited.isEmpty() ? "respond-async" : "respond-async, " + waited : waited;
    }
}
