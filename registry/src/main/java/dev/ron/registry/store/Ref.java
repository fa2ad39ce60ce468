package dev.ron.registry.store;

/** Where a record stands: its batch and its place in it; it stays the same when a segment is rewritten. */
public record Ref(long batch, int place) {
    static final int MAX_PLACES = 1 << 12;

    /** As one number of at most 2^53 - 1. */
    public long packed() {
        return batch * MAX_PLACES + place;
    }

    public static Ref unpack(long packed) {
        return new Ref(packed / MAX_PLACES, (int) (packed % MAX_PLACES));
    }
}
