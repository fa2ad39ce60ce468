package dev.ron.gateway.arbiter;

/** How long a tenant's recent jobs waited, in buckets of a quarter of an octave. */
final class WaitTimes {
    private static final int BUCKETS = 108; // up to 134 s

    private final long[] counts = new long[BUCKETS];
    private long grantedSeen;
    private long recorded;

    void record(long micros) {
        counts[bucket(Math.max(0, micros))]++;
        recorded++;
    }

    /** Those granted without queueing never come here one by one: they are the rest of all granted. */
    void absorb(long granted) {
        counts[0] += Math.max(0, granted - grantedSeen - recorded);
        grantedSeen = granted;
        recorded = 0;
    }

    /** Halves the past. */
    void fade() {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] /= 2;
        }
    }

    /** A wait that this part of the jobs did not exceed. */
    long quantileMicros(double part) {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        long rank = (long) Math.ceil(total * part);
        long below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (below >= rank && below > 0) {
                return upperBound(i);
            }
        }
        return 0;
    }

    private static int bucket(long micros) {
        if (micros < 4) {
            return (int) micros;
        }
        int octave = 63 - Long.numberOfLeadingZeros(micros);
        int quarter = (int) (micros >>> (octave - 2)) & 3;
        return Math.min((octave - 1) * 4 + quarter, BUCKETS - 1);
    }

    private static long upperBound(int bucket) {
        if (bucket < 4) {
            return bucket;
        }
        int octave = bucket / 4 + 1;
        return ((5L + bucket % 4) << (octave - 2)) - 1;
    }
}
