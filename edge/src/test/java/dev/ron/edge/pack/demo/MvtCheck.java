package dev.ron.edge.pack.demo;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A small reader of vector tiles, written from the specification, that checks what it reads. */
final class MvtCheck {
    private final byte[] in;
    private final int end;
    private int at;
    private final List<String> layers = new ArrayList<>();

    MvtCheck(byte[] tile) {
        this(tile, 0, tile.length);
        while (at < end) {
            check(varint() == ((3 << 3) | 2));
            layer(sub());
        }
    }

    private MvtCheck(byte[] in, int from, int end) {
        this.in = in;
        this.at = from;
        this.end = end;
    }

    List<String> layers() {
        return layers;
    }

    private void layer(MvtCheck layer) {
        String name = "";
        int keys = 0;
        int values = 0;
        List<MvtCheck> features = new ArrayList<>();
        boolean version = false;
        while (layer.at < layer.end) {
            switch ((int) layer.varint()) {
                case 15 << 3 -> version = layer.varint() == 2;
                case (1 << 3) | 2 -> name = layer.text();
                case (2 << 3) | 2 -> features.add(layer.sub());
                case (3 << 3) | 2 -> {
                    layer.sub();
                    keys++;
                }
                case (4 << 3) | 2 -> {
                    layer.sub();
                    values++;
                }
                case 5 << 3 -> check(layer.varint() == 4096);
                default -> throw new AssertionError("field in a layer");
            }
        }
        check(version);
        check(!features.isEmpty());
        layers.add(name);
        for (MvtCheck feature : features) {
            feature(feature, keys, values);
        }
    }

    private static void feature(MvtCheck feature, int keys, int values) {
        int type = 0;
        while (feature.at < feature.end) {
            switch ((int) feature.varint()) {
                case 1 << 3 -> check(feature.varint() > 0);
                case (2 << 3) | 2 -> {
                    MvtCheck tags = feature.sub();
                    while (tags.at < tags.end) {
                        check(tags.varint() < keys);
                        check(tags.varint() < values);
                    }
                }
                case 3 << 3 -> type = (int) feature.varint();
                case (4 << 3) | 2 -> geometry(feature.sub(), type);
                default -> throw new AssertionError("field in a feature");
            }
        }
    }

    private static void geometry(MvtCheck commands, int type) {
        long x = 0;
        long y = 0;
        int parts = 0;
        boolean closed = false;
        while (commands.at < commands.end) {
            long command = commands.varint();
            int id = (int) (command & 7);
            long count = command >> 3;
            if (id == 7) {
                closed = true;
                continue;
            }
            parts++;
            check(id == 1 || id == 2);
            for (long i = 0; i < count; i++) {
                x += unzigzag(commands.varint());
                y += unzigzag(commands.varint());
                if (type == 3) {
                    check(x >= -64L && x <= 4160L);
                    check(y >= -64L && y <= 4160L);
                }
            }
        }
        check(parts > 0);
        check(closed == (type == 3));
    }

    /** Plain, because there are millions of them. */
    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("not a vector tile");
        }
    }

    private static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    private String text() {
        MvtCheck sub = sub();
        return new String(in, sub.at, sub.end - sub.at, StandardCharsets.UTF_8);
    }

    private MvtCheck sub() {
        int length = (int) varint();
        MvtCheck sub = new MvtCheck(in, at, at + length);
        at += length;
        check(at <= end);
        return sub;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = in[at++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }
}
