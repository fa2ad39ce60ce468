package dev.ron.edge.fill;

import dev.ron.edge.digest.Digest;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of an object that was fetched: where its bytes are, and for how long they are fresh.
 *
 * @param etag the origin's own tag, for asking whether the object has changed
 * @param strict whether the origin forbids that it is served stale, whatever happens (RFC 9111, 4.2.4)
 */
public record Stored(
        Digest digest,
        long size,
        String mediaType,
        Optional<String> etag,
        Optional<Instant> lastModified,
        Instant checked,
        Instant freshUntil,
        boolean strict) {

    boolean isFresh(Instant now) {
        return now.isBefore(freshUntil);
    }

    /** Whether it may still be served so many seconds after it became stale. */
    boolean isWithin(Instant now, int seconds) {
        return !strict && now.isBefore(freshUntil.plusSeconds(seconds));
    }

    /** After the origin said that it is the same; what it did not say anew stays as it was. */
    Stored renewed(Instant now, Instant until, Optional<Boolean> strictNow) {
        return new Stored(digest, size, mediaType, etag, lastModified, now, until, strictNow.orElse(strict));
    }
}
