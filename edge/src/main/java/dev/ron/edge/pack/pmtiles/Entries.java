package dev.ron.edge.pack.pmtiles;

import java.util.Arrays;

/** Growing columns of a directory that is being made. */
final class Entries {
    private long[] ids = new long[64];
    private int[] runs = new int[64];
    private int[] lengths = new int[64];
    private long[] offsets = new long[64];
    private int size;

    int size() {
        return size;
    }

    void add(long id, int run, int length, long offset) {
        if (size == ids.length) {
            int larger = size + (size >> 1);
            ids = Arrays.copyOf(ids, larger);
            runs = Arrays.copyOf(runs, larger);
            lengths = Arrays.copyOf(lengths, larger);
            offsets = Arrays.copyOf(offsets, larger);
        }
        ids[size] = id;
        runs[size] = run;
        lengths[size] = length;
        offsets[size] = offset;
        size++;
    }

    /** Adds a tile, or makes the run before it one longer when it is the next tile of the same blob. */
    void addOrExtend(long id, int length, long offset) {
        int last = size - 1;
        if (last >= 0
                && offsets[last] == offset
                && runs[last] != 0
                && runs[last] < Integer.MAX_VALUE
                && ids[last] + runs[last] == id) {
            runs[last]++;
        } else {
            add(id, 1, length, offset);
        }
    }

    Directory directory() {
        return new Directory(
                Arrays.copyOf(ids, size),
                Arrays.copyOf(runs, size),
                Arrays.copyOf(lengths, size),
                Arrays.copyOf(offsets, size));
    }
}
