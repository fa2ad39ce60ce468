package dev.ron.edge.pack.pmtiles;

import java.util.Arrays;

/**
 * A decoded directory as four parallel arrays, sorted by tile identifier; every extent lies inside its section.
 *
 * <p>Arrays and not objects: a directory of 10,000 entries is then 240 KB and four objects for the collector.
 */
final class Directory {
    static final int BYTES_PER_ENTRY = 8 + 8 + 4 + 4;

    private final long[] ids;
    private final int[] runs; // unsigned; 0 marks a leaf directory
    private final int[] lengths;
    private final long[] offsets;

    Directory(long[] ids, int[] runs, int[] lengths, long[] offsets) {
        this.ids = ids;
        this.runs = runs;
        this.lengths = lengths;
        this.offsets = offsets;
    }

    int size() {
        return ids.length;
    }

    long id(int entry) {
        return ids[entry];
    }

    /** How many identifiers in a row share the blob; 0 for a leaf directory. */
    long run(int entry) {
        return Integer.toUnsignedLong(runs[entry]);
    }

    boolean isLeaf(int entry) {
        return runs[entry] == 0;
    }

    int length(int entry) {
        return lengths[entry];
    }

    long offset(int entry) {
        return offsets[entry];
    }

    /** The last entry whose identifier is not above {@code id}, or -1. */
    int floor(long id) {
        int found = Arrays.binarySearch(ids, id);
        return found >= 0 ? found : -found - 2;
    }

    /** What it weighs in the cache. */
    int weight() {
        return 256 + ids.length * BYTES_PER_ENTRY;
    }
}
