package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;

/**
 * Reads an unpacked directory and refuses what breaks a rule, so that look-ups need no checks of their own.
 *
 * <p>Layout: the number of entries, then four columns of varints: identifier deltas, runs, lengths, offsets. An entry
 * takes at least four bytes, so a claim of a billion entries is refused before anything is allocated for it.
 */
final class DirectoryDecoder {
    private static final int MIN_BYTES_PER_ENTRY = 4;
    private static final long MAX_RUN = 0xFFFF_FFFFL;

    private final byte[] in;
    private final Header header;
    private final String name;
    private int at;

    private DirectoryDecoder(byte[] in, Header header, String name) {
        this.in = in;
        this.header = header;
        this.name = name;
    }

    static Directory decode(byte[] plain, Header header, String name) {
        return new DirectoryDecoder(plain, header, name).decode();
    }

    private Directory decode() {
        long claimed = varint();
        if (claimed < 1 || claimed > (in.length - at) / MIN_BYTES_PER_ENTRY) {
            throw bad(Long.toUnsignedString(claimed) + " entries in " + in.length + " bytes");
        }
        int n = (int) claimed;
        long[] ids = ids(n);
        int[] runs = runs(n, ids);
        int[] lengths = lengths(n);
        long[] offsets = offsets(n, runs, lengths);
        if (at != in.length) {
            throw bad((in.length - at) + " bytes after the last entry");
        }
        return new Directory(ids, runs, lengths, offsets);
    }

    private long[] ids(int n) {
        long[] ids = new long[n];
        long id = 0;
        for (int i = 0; i < n; i++) {
            long delta = varint();
            if (delta < 0 || delta >= TileId.END - id || (delta == 0 && i > 0)) {
                throw bad("tile ids that do not ascend, at entry " + i);
            }
            id += delta;
            ids[i] = id;
        }
        return ids;
    }

    private int[] runs(int n, long[] ids) {
        int[] runs = new int[n];
        for (int i = 0; i < n; i++) {
            long run = varint();
            long room = (i + 1 < n ? ids[i + 1] : TileId.END) - ids[i];
            if (run < 0 || run > MAX_RUN || run > room) {
                throw bad("a run of " + Long.toUnsignedString(run) + " at entry " + i + " that overlaps the next");
            }
            runs[i] = (int) run;
        }
        return runs;
    }

    private int[] lengths(int n) {
        int[] lengths = new int[n];
        for (int i = 0; i < n; i++) {
            long length = varint();
            if (length < 1 || length > Integer.MAX_VALUE) {
                throw bad("length " + Long.toUnsignedString(length) + " at entry " + i);
            }
            lengths[i] = (int) length;
        }
        return lengths;
    }

    private long[] offsets(int n, int[] runs, int[] lengths) {
        long[] offsets = new long[n];
        for (int i = 0; i < n; i++) {
            long value = varint();
            // 0 means "right behind the entry before", which the first entry cannot say. Else 1 is added to the offset.
            if (value == 0 && i == 0) {
                throw bad("a first entry without an offset");
            }
            offsets[i] = value == 0 ? offsets[i - 1] + lengths[i - 1] : value - 1;
            Section section = runs[i] == 0 ? header.leaves() : header.data();
            if (!section.holds(offsets[i], lengths[i])) {
                throw bad(lengths[i] + " bytes at " + Long.toUnsignedString(offsets[i]) + " (entry " + i
                        + "), outside its section of " + section.length());
            }
        }
        return offsets;
    }

    /** A protobuf varint; ten bytes hold 64 bits, and the tenth may only be 0 or 1. */
    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == in.length) {
                throw bad("an end in the middle of its entries");
            }
            byte b = in[at++];
            if (shift == 63 && (b & 0xFE) != 0) {
                throw bad("a number beyond 64 bits");
            }
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw bad("a number beyond 64 bits");
    }

    private PackError bad(String what) {
        return new PackError(PackFault.BAD_DIRECTORY, name + ": a directory has " + what);
    }
}
