package dev.ron.token.verify;

import dev.ron.token.keys.Revocation;
import dev.ron.token.pct.Caps;

/**
 * How strict a verifier is.
 *
 * @param audience the service the verifier stands for
 * @param skewSeconds the clock difference tolerated either way
 * @param classicalBlocks whether {@link PqMode#ENFORCE} still takes attenuation blocks
 * @param staleWritesSeconds age of the revocation state from which writes are denied
 * @param staleAllSeconds age from which everything is denied
 */
public record VerifierConfig(
        String audience,
        long skewSeconds,
        Caps caps,
        PqMode pq,
        boolean classicalBlocks,
        long staleWritesSeconds,
        long staleAllSeconds) {

    public VerifierConfig {
        if (skewSeconds < 0 || skewSeconds > Revocation.LARGEST_SKEW_SECONDS) {
            throw new IllegalArgumentException("clock_skew: " + skewSeconds + " s (expected: 0..300)");
        }
        if (staleWritesSeconds < 1 || staleAllSeconds < staleWritesSeconds) {
            throw new IllegalArgumentException("stale limits: writes " + staleWritesSeconds + " s, all "
                    + staleAllSeconds + " s (expected: 1 <= writes <= all)");
        }
    }

    public static VerifierConfig of(String audience) {
        return new VerifierConfig(audience, 60, Caps.DEFAULT, PqMode.HYBRID, false, 30, 300);
    }

    public VerifierConfig withPq(PqMode mode) {
        return new VerifierConfig(
                audience, skewSeconds, caps, mode, classicalBlocks, staleWritesSeconds, staleAllSeconds);
    }

    public VerifierConfig withClassicalBlocks(boolean allowed) {
        return new VerifierConfig(audience, skewSeconds, caps, pq, allowed, staleWritesSeconds, staleAllSeconds);
    }
}
