package dev.ron.edge.fill;

import dev.ron.edge.digest.Digest;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of an object that was fetched: where its bytes are, and for how long they are fresh.
 *
 * @param etag the origin's own tag, for asking whether the object has changed
 * @param said what the origin says of that
 */
public record Stored(
        Digest digest,
        long size,
        String mediaType,
        Optional<String> etag,
        Optional<Instant> lastModified,
        Instant checked,
        Instant freshUntil,
        Freshness said) {

    boolean isFresh(Instant now) {
        return now.isBefore(freshUntil);
    }

    /** Whether it may still be served so many seconds after it became stale. */
    boolean isWithin(Instant now, int seconds) {
        return !strict() && now.isBefore(freshUntil.plusSeconds(seconds));
    }

    /** Whether the origin forbids that it is served stale, whatever happens. */
    public boolean strict() {
        return said.strict();
    }

    /** After the origin said that it is the same. */
    Stored renewed(Instant now, Instant until, Freshness saidNow) {
        return new Stored(digest, size, mediaType, etag, lastModified, now, until, saidNow);
    }
}
