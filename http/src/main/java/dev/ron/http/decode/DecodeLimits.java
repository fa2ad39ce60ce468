package dev.ron.http.decode;

/**
 * How much a compressed body may grow.
 *
 * @param maxBytes the most that may come out
 * @param maxRatio the most that may come out per byte that went in, once more than {@code freeBytes} came out
 * @param freeBytes small repetitive bodies legally exceed the ratio; up to here it is not looked at
 */
public record DecodeLimits(long maxBytes, int maxRatio, int freeBytes) {
    private static final int KIB = 1024;

    /** 8 MiB, 10:1, looked at beyond 64 KiB. */
    public static final DecodeLimits DEFAULT = new DecodeLimits(8L * KIB * KIB, 10, 64 * KIB);

    /**
     * The largest history window a zstd or brotli stream may ask for: what RFC 9659 grants in HTTP. Decoders of these two
     * hold their window outside the heap, and it fills no faster than the output it repeats.
     */
    static final int MAX_WINDOW_LOG = 23;

    public DecodeLimits {
        if (maxBytes < 1 || maxRatio < 1 || freeBytes < 0) {
            throw new IllegalArgumentException("decode limits: " + maxBytes + " bytes, ratio " + maxRatio + ", free "
                    + freeBytes + " (expected: at least 1, 1 and 0)");
        }
    }
}
