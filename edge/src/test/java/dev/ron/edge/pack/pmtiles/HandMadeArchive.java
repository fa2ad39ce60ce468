package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** An archive put together from parts that no honest writer would make. */
final class HandMadeArchive {
    private Coding coding = Coding.NONE;
    private byte[] root = directory(1, 0, 1, 4, 1);
    private byte[] leaves = {};
    private byte[] metadata = "{}".getBytes(StandardCharsets.US_ASCII);
    private byte[] data = {1, 2, 3, 4};

    /** A directory from its varints, one after the other; each argument is one number. */
    static byte[] directory(long... numbers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long number : numbers) {
            long rest = number;
            while ((rest & ~0x7FL) != 0) {
                out.write((int) ((rest & 0x7F) | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }
        return out.toByteArray();
    }

    /** Entries in order of the tiles, as they must be, and their data in the order given: not clustered. */
    static HandMadeArchive of(Map<TileCoord, byte[]> tiles) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        Map<Long, Section> placed = new TreeMap<>();
        tiles.forEach((at, bytes) -> {
            placed.put(TileId.of(at), new Section(data.size(), bytes.length));
            data.writeBytes(bytes);
        });
        Entries entries = new Entries();
        placed.forEach((id, at) -> entries.add(id, 1, (int) at.length(), at.offset()));
        return new HandMadeArchive()
                .root(DirectoryEncoder.encode(entries.directory()))
                .data(data.toByteArray());
    }

    HandMadeArchive coding(Coding how) {
        coding = how;
        return this;
    }

    HandMadeArchive root(byte[] bytes) {
        root = bytes;
        return this;
    }

    HandMadeArchive leaves(byte[] bytes) {
        leaves = bytes;
        return this;
    }

    HandMadeArchive metadata(byte[] bytes) {
        metadata = bytes;
        return this;
    }

    HandMadeArchive data(byte[] bytes) {
        data = bytes;
        return this;
    }

    byte[] bytes() {
        byte[] packedRoot = Packing.pack(coding, root);
        byte[] packedMetadata = Packing.pack(coding, metadata);
        Section rootAt = new Section(Header.BYTES, packedRoot.length);
        Section metadataAt = new Section(rootAt.offset() + rootAt.length(), packedMetadata.length);
        Section leavesAt = new Section(metadataAt.offset() + metadataAt.length(), leaves.length);
        Section dataAt = new Section(leavesAt.offset() + leavesAt.length(), data.length);
        Header header = new Header(
                rootAt,
                metadataAt,
                leavesAt,
                dataAt,
                0,
                0,
                0,
                false,
                coding,
                Coding.NONE,
                TileType.PNG,
                0,
                31,
                Bounds.WORLD,
                new Center(0, 0, 0));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HeaderCodec.write(header));
        out.writeBytes(packedRoot);
        out.writeBytes(packedMetadata);
        out.writeBytes(leaves);
        out.writeBytes(data);
        return out.toByteArray();
    }
}
