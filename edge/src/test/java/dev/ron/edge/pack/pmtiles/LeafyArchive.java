package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Random;
import tools.jackson.databind.node.JsonNodeFactory;

/** An archive with so many tiles that their directories do not fit into the root. */
public final class LeafyArchive {
    /** In the first of the leaves. */
    public static final TileCoord FIRST = new TileCoord(7, 0, 0);

    public static final int TILES = 1 << 14; // all of zoom 7

    private LeafyArchive() {}

    public static void write(Path path) throws IOException {
        Random random = new Random(7);
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode())
                .internalCoding(Coding.NONE);
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            long first = TileId.of(FIRST);
            for (int i = 0; i < TILES; i++) {
                byte[] tile = new byte[8 + random.nextInt(100)];
                random.nextBytes(tile);
                writer.add(TileId.toTile(first + i), tile);
            }
            writer.finish();
        }
    }

    /** The same, but of its leaves the later half is zeros; nothing of that is in the header or the root. */
    public static void writeSpoiled(Path path) throws IOException {
        write(path);
        Section leaves;
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            leaves = pack.header().leaves();
            assertThat(leaves.length()).isPositive();
        }
        int half = (int) leaves.length() / 2;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(leaves.offset() + leaves.length() - half);
            file.write(new byte[half]);
        }
    }
}
