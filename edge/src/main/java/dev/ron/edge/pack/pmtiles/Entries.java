package dev.ron.edge.pack.pmtiles;

import java.util.Arrays;

/** Growing columns of a directory that is being made. */
final class Entries {
    private long[] ids;
    private int[] runs;
    private int[] lengths;
    private long[] offsets;
    private int size;

    Entries() {
        this(64);
    }

    Entries(int room) {
        ids = new long[room];
        runs = new int[room];
        lengths = new int[room];
        offsets = new long[room];
    }

    int size() {
        return size;
    }

    void add(long id, int run, int length, long offset) {
        if (size == ids.length) {
            int larger = size + (size >> 1) + 1;
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

    /** The columns, copied only where they are longer than what is in them. */
    Directory directory() {
        if (size < ids.length) {
            ids = Arrays.copyOf(ids, size);
            runs = Arrays.copyOf(runs, size);
            lengths = Arrays.copyOf(lengths, size);
            offsets = Arrays.copyOf(offsets, size);
        }
        return new Directory(ids, runs, lengths, offsets);
    }
}
