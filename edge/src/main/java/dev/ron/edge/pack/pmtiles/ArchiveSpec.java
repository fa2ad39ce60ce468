package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.TileType;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a new archive says of itself; bounds and centre follow from the tiles where they are not given. */
public record ArchiveSpec(
        TileType type,
        Coding tileCoding,
        Coding internalCoding,
        Optional<Bounds> bounds,
        Optional<Center> center,
        ObjectNode metadata) {

    public ArchiveSpec {
        if (tileCoding == Coding.ZLIB || internalCoding == Coding.ZLIB || internalCoding == Coding.UNKNOWN) {
            throw new IllegalArgumentException("compression " + tileCoding + "/" + internalCoding
                    + " (expected: one that PMTiles knows; directories need a known one)");
        }
    }

    /** Tiles as given, directories in gzip, which every reader has. */
    public static ArchiveSpec of(TileType type, Coding tileCoding, ObjectNode metadata) {
        return new ArchiveSpec(type, tileCoding, Coding.GZIP, Optional.empty(), Optional.empty(), metadata);
    }

    /** An archive with the same kind of tiles as an existing pack. */
    public static ArchiveSpec like(PackInfo info) {
        return new ArchiveSpec(info.type(), info.coding(), Coding.GZIP, info.area(), info.center(), info.description());
    }

    /** The part of it in a box; the bounds are the box, as far as there is something in it. */
    public ArchiveSpec within(Bounds box) {
        Bounds part = bounds.flatMap(box::intersect).orElse(box);
        return new ArchiveSpec(type, tileCoding, internalCoding, Optional.of(part), Optional.empty(), metadata);
    }

    public ArchiveSpec internalCoding(Coding coding) {
        return new ArchiveSpec(type, tileCoding, coding, bounds, center, metadata);
    }
}
