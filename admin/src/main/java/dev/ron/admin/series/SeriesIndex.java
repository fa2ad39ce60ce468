package dev.ron.admin.series;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The series a node is known to have, by the hash of their text; immutable, so an abandoned scrape may still read it. */
final class SeriesIndex {
    static final SeriesIndex EMPTY = new SeriesIndex(java.util.List.of());

    private final long[] keys;
    private final @Nullable Raw[] raws;
    private final int mask;

    SeriesIndex(Collection<Raw> all) {
        int capacity = Integer.highestOneBit(Math.max(8, all.size() * 2)) << 1;
        this.keys = new long[capacity];
        this.raws = new Raw[capacity];
        this.mask = capacity - 1;
        for (Raw raw : all) {
            int at = (int) raw.series() & mask;
            while (raws[at] != null) {
                at = (at + 1) & mask;
            }
            keys[at] = raw.series();
            raws[at] = raw;
        }
    }

    @Nullable
    Raw find(long series) {
        int at = (int) series & mask;
        while (true) {
            Raw raw = raws[at];
            if (raw == null || keys[at] == series) {
                return raw;
            }
            at = (at + 1) & mask;
        }
    }
}
