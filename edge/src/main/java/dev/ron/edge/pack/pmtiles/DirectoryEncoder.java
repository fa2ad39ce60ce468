package dev.ron.edge.pack.pmtiles;

import java.io.ByteArrayOutputStream;

/** Writes directories, the mirror of {@link DirectoryDecoder}. */
final class DirectoryEncoder {
    private DirectoryEncoder() {}

    static byte[] encode(Directory directory, int from, int to) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        varint(out, to - from);
        long last = 0;
        for (int i = from; i < to; i++) {
            varint(out, directory.id(i) - last);
            last = directory.id(i);
        }
        for (int i = from; i < to; i++) {
            varint(out, directory.run(i));
        }
        for (int i = from; i < to; i++) {
            varint(out, directory.length(i));
        }
        for (int i = from; i < to; i++) {
            boolean follows = i > from && directory.offset(i) == directory.offset(i - 1) + directory.length(i - 1);
            varint(out, follows ? 0 : directory.offset(i) + 1);
        }
        return out.toByteArray();
    }

    static byte[] encode(Directory directory) {
        return encode(directory, 0, directory.size());
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
