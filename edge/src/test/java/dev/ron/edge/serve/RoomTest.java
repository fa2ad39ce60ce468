package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomTest {
    private static final long MIB = 1 << 20;

    @Test
    void theLargestCacheForSomeMemoryUsesItUpAndNoMore() {
        for (long mib : new long[] {40, 48, 100, 240, 4096}) {
            long cache = Room.largestCache(mib * MIB);
            assertThat(new Room(cache).most()).as("%d MiB", mib).isBetween((mib - 1) * MIB, mib * MIB);
        }
        assertThat(Room.largestCache(0)).isEqualTo(MIB);
    }
}
