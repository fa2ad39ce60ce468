package dev.ron.edge.pack.demo;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The four wire forms of protocol buffers that vector tiles need. */
final class Proto {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Proto number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    Proto text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Proto bytes(int field, byte[] value) {
        varint(((long) field << 3) | BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    Proto message(int field, Proto value) {
        return bytes(field, value.toBytes());
    }

    Proto packed(int field, Iterable<Integer> values) {
        Proto inner = new Proto();
        values.forEach(value -> inner.varint(Integer.toUnsignedLong(value)));
        return message(field, inner);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
