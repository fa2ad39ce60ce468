package dev.ron.registry.book;

import dev.ron.registry.store.Ref;
import java.util.Arrays;

/** Where the record of each number stands; numbers count from 1, one writer adds, anyone reads. */
final class Shelf {
    // The array is replaced when it grows and the count is written last: who has read the count finds what it counts.
    private volatile long[] refs = new long[64];
    private volatile int count;

    void add(Ref ref) {
        long[] known = refs;
        int at = count;
        if (at == known.length) {
            known = Arrays.copyOf(known, known.length * 2);
        }
        known[at] = ref.packed();
        refs = known;
        count = at + 1;
    }

    long count() {
        return count;
    }

    Ref get(long number) {
        if (number < 1 || number > count) {
            throw new IllegalArgumentException("no record " + number + " of " + count);
        }
        return Ref.unpack(refs[(int) (number - 1)]);
    }
}
