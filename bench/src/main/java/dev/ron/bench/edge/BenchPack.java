package dev.ron.bench.edge;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import tools.jackson.databind.node.JsonNodeFactory;

/** A pack of random tiles, and the same bytes as files: the same on every machine. */
final class BenchPack {
    private static final int LEAST_BYTES = 512;

    private BenchPack() {}

    /** Writes zooms 0 to {@code maxZoom} with tiles of {@code meanBytes} on average; files too, if a folder is given. */
    static long write(Path pack, Path files, boolean alsoFiles, int maxZoom, int meanBytes) throws IOException {
        Random random = new Random(7);
        long bytes = 0;
        try (PmtilesWriter writer = PmtilesWriter.create(
                pack, ArchiveSpec.of(TileType.PNG, Coding.NONE, JsonNodeFactory.instance.objectNode()))) {
            for (int z = 0; z <= maxZoom; z++) {
                for (int x = 0; x < 1 << z; x++) {
                    Path column = files.resolve(z + "/" + x);
                    if (alsoFiles) {
                        Files.createDirectories(column);
                    }
                    for (int y = 0; y < 1 << z; y++) {
                        byte[] tile = new byte[LEAST_BYTES + random.nextInt(2 * (meanBytes - LEAST_BYTES))];
                        random.nextBytes(tile);
                        writer.add(new TileCoord(z, x, y), tile);
                        if (alsoFiles) {
                            Files.write(column.resolve(y + ".png"), tile);
                        }
                        bytes += tile.length;
                    }
                }
            }
            writer.finish();
        }
        return bytes;
    }
}
