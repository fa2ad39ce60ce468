package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Headers to and from bytes; what {@link #read} returns lies wholly inside the file. */
final class HeaderCodec {
    private static final byte[] MAGIC = "PMTiles".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 3;
    private static final double E7 = 1e7;

    private final String name;
    private final long fileBytes;

    HeaderCodec(String name, long fileBytes) {
        this.name = name;
        this.fileBytes = fileBytes;
    }

    Header read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int version = version(in);
        if (version != VERSION) {
            throw new PackError(
                    PackFault.BAD_FORMAT,
                    name + " is PMTiles version " + version + " (expected: 3); convert it with `pmtiles convert`");
        }
        in.position(MAGIC.length + 1);
        Section root = section(in, "root directory");
        Section metadata = section(in, "metadata");
        Section leaves = section(in, "leaf directories");
        Section data = section(in, "tile data");
        if (root.length() == 0 || root.offset() < Header.BYTES || root.offset() + root.length() > Header.ROOT_END) {
            throw bad(
                    "root directory at " + root.offset() + " with " + root.length() + " bytes",
                    "between the header and byte " + Header.ROOT_END);
        }
        long addressed = count(in, "addressed tiles");
        long entries = count(in, "tile entries");
        long contents = count(in, "tile contents");
        int clustered = in.get();
        if (clustered != 0 && clustered != 1) {
            throw bad("clustered " + clustered, "0 or 1");
        }
        Coding internal = known(Coding.ofNumber(in.get()), "internal compression");
        if (internal == Coding.UNKNOWN) {
            throw bad("internal compression 0 (unknown)", "1..4, or the directories cannot be read");
        }
        Coding tiles = known(Coding.ofNumber(in.get()), "tile compression");
        TileType type = known(TileType.ofNumber(in.get()), "tile type");
        int minZoom = in.get() & 0xFF;
        int maxZoom = in.get() & 0xFF;
        if (minZoom > maxZoom || maxZoom > TileCoord.MAX_ZOOM) {
            throw bad("zooms " + minZoom + ".." + maxZoom, "min <= max <= " + TileCoord.MAX_ZOOM);
        }
        double west = in.getInt() / E7;
        double south = in.getInt() / E7;
        double east = in.getInt() / E7;
        double north = in.getInt() / E7;
        int centerZoom = in.get() & 0xFF;
        Center center = new Center(in.getInt() / E7, in.getInt() / E7, centerZoom);
        return new Header(
                root,
                metadata,
                leaves,
                data,
                addressed,
                entries,
                contents,
                clustered == 1,
                internal,
                tiles,
                type,
                minZoom,
                maxZoom,
                bounds(west, south, east, north),
                center);
    }

    /** Versions 1 and 2 began with "PM" and the version in two bytes. */
    private int version(ByteBuffer in) {
        if (in.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            return in.get(MAGIC.length);
        }
        int old = in.getShort(2);
        if (in.get(0) == MAGIC[0] && in.get(1) == MAGIC[1] && (old == 1 || old == 2)) {
            return old;
        }
        throw new PackError(PackFault.BAD_FORMAT, name + " does not start with \"PMTiles\"");
    }

    private Section section(ByteBuffer in, String what) {
        Section section = new Section(in.getLong(), in.getLong());
        if (!section.inside(fileBytes)) {
            throw new PackError(
                    PackFault.TRUNCATED,
                    name + ": " + what + " at " + Long.toUnsignedString(section.offset()) + " with "
                            + Long.toUnsignedString(section.length()) + " bytes (expected: inside the file's "
                            + fileBytes + ")");
        }
        return section;
    }

    private long count(ByteBuffer in, String what) {
        long count = in.getLong();
        if (count < 0) {
            throw bad(what + " " + Long.toUnsignedString(count), "below 2^63");
        }
        return count;
    }

    private <T> T known(Optional<T> value, String what) {
        return value.orElseThrow(() -> bad(what + " of an unknown number", "one of the PMTiles 3 specification"));
    }

    private Bounds bounds(double west, double south, double east, double north) {
        try {
            return new Bounds(west, south, east, north);
        } catch (IllegalArgumentException e) {
            throw new PackError(PackFault.BAD_HEADER, name + ": " + e.getMessage());
        }
    }

    private PackError bad(String value, String expected) {
        return new PackError(PackFault.BAD_HEADER, name + ": " + value + " (expected: " + expected + ")");
    }

    static byte[] write(Header header) {
        ByteBuffer out = ByteBuffer.allocate(Header.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.put(MAGIC).put((byte) VERSION);
        for (Section section : new Section[] {header.root(), header.metadata(), header.leaves(), header.data()}) {
            out.putLong(section.offset()).putLong(section.length());
        }
        out.putLong(header.addressedTiles()).putLong(header.tileEntries()).putLong(header.tileContents());
        out.put((byte) (header.clustered() ? 1 : 0));
        out.put((byte) header.internalCoding().number());
        out.put((byte) header.tileCoding().number());
        out.put((byte) header.tileType().number());
        out.put((byte) header.minZoom()).put((byte) header.maxZoom());
        Bounds bounds = header.bounds();
        out.putInt(e7(bounds.west()))
                .putInt(e7(bounds.south()))
                .putInt(e7(bounds.east()))
                .putInt(e7(bounds.north()));
        Center center = header.center();
        out.put((byte) center.zoom()).putInt(e7(center.longitude())).putInt(e7(center.latitude()));
        return out.array();
    }

    private static int e7(double degrees) {
        return (int) Math.round(degrees * E7);
    }
}
