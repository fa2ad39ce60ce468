package dev.ron.passport.kms;

import dev.ron.token.keys.Revocation;
import java.time.Duration;

/**
 * How long the stages of a key last, in seconds.
 *
 * @param ahead a new key is published so long before it signs
 * @param retiring a replaced key stays published so long: until its last token has run out everywhere
 * @param rotateEvery time between two planned rotations
 * @param grace tokens of an epoch that ends softly live so long
 */
public record KeyTimes(long ahead, long retiring, long rotateEvery, long grace) {
    static final long LARGEST_SKEW_SECONDS = 300;
    static final long KEPT_AFTER_RETIREMENT = 24 * 3600;

    /** A revoked key is shown until no token of it could be good any more. */
    static final long KEPT_AFTER_REVOCATION = 24 * 3600 + LARGEST_SKEW_SECONDS;

    public static KeyTimes of(Duration publishAhead, Duration grace, int rotationDays) {
        // By the longest life a token may have: the one it may be given today was perhaps longer when the key signed.
        return new KeyTimes(
                publishAhead.toSeconds(),
                Revocation.MAX_LIFETIME_SECONDS + LARGEST_SKEW_SECONDS,
                Duration.ofDays(rotationDays).toSeconds(),
                grace.toSeconds());
    }
}
