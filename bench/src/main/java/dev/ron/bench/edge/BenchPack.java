package dev.ron.bench.edge;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.node.JsonNodeFactory;

/** A pack of random tiles, and the same bytes as files: the same on every machine. */
record BenchPack(TileType type, Coding coding, String fileSuffix) {
    private static final int LEAST_BYTES = 512;

    static final BenchPack IMAGES = new BenchPack(TileType.PNG, Coding.NONE, ".png");

    /** As most packs are: vector tiles, compressed one by one. Nothing here looks into them. */
    static final BenchPack VECTORS = new BenchPack(TileType.MVT, Coding.GZIP, ".mvt.gz");

    /** Writes zooms 0 to {@code maxZoom} with tiles of {@code meanBytes} on average; files too, if asked for. */
    long write(Path pack, Path files, boolean alsoFiles, int maxZoom, int meanBytes) throws IOException {
        Random random = new Random(7);
        long bytes = 0;
        try (PmtilesWriter writer =
                PmtilesWriter.create(pack, ArchiveSpec.of(type, coding, JsonNodeFactory.instance.objectNode()))) {
            for (int z = 0; z <= maxZoom; z++) {
                for (int x = 0; x < 1 << z; x++) {
                    Path column = files.resolve(z + "/" + x);
                    if (alsoFiles) {
                        Files.createDirectories(column);
                    }
                    for (int y = 0; y < 1 << z; y++) {
                        byte[] tile = new byte[LEAST_BYTES + random.nextInt(2 * (meanBytes - LEAST_BYTES))];
                        random.nextBytes(tile);
                        tile = coding == Coding.GZIP ? gzip(tile) : tile;
                        writer.add(new TileCoord(z, x, y), tile);
                        if (alsoFiles) {
                            Files.write(column.resolve(y + fileSuffix), tile);
                        }
                        bytes += tile.length;
                    }
                }
            }
            writer.finish();
        }
        return bytes;
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }
}
