package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** What the writer wrote, the reader finds; the oracle is a map. */
class PmtilesRoundTripTest {
    private static Path folder = Path.of("");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("ron-pmtiles");
    }

    @AfterContainer
    static void removeFolder() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Property(tries = 60)
    void readerFindsExactlyWhatTheWriterWasGiven(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 400) int tiles,
            @ForAll @IntRange(max = 7) int maxZoom,
            @ForAll Coding anyCoding,
            @ForAll TileType type)
            throws IOException {
        Coding internal = anyCoding == Coding.UNKNOWN || anyCoding == Coding.ZLIB ? Coding.GZIP : anyCoding;
        Map<TileCoord, byte[]> oracle = randomTiles(new Random(seed), tiles, maxZoom);
        Path path = folder.resolve("random.pmtiles");
        ArchiveSpec spec = ArchiveSpec.of(type, Coding.NONE, JsonNodeFactory.instance.objectNode());
        List<TileCoord> order = new ArrayList<>(oracle.keySet());
        Collections.shuffle(order, new Random(seed));
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec.internalCoding(internal))) {
            for (TileCoord at : order) {
                writer.add(at, Objects.requireNonNull(oracle.get(at)));
            }
            writer.finish();
        }
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertFindsExactly(pack, oracle, maxZoom);
            WalkReport report = pack.walk(() -> false);
            assertThat(report.problems()).isEmpty();
            assertThat(report.addressedTiles()).isEqualTo(oracle.size());
            assertThat(pack.info().type()).isEqualTo(type);
        }
    }

    /** The oracle's order is a hash map's, which is none. */
    @Property(tries = 20)
    void readerFindsExactlyWhatIsInAnArchiveThatIsNotClustered(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 400) int tiles, @ForAll @IntRange(max = 7) int maxZoom)
            throws IOException {
        Map<TileCoord, byte[]> oracle = randomTiles(new Random(seed), tiles, maxZoom);
        Path path = folder.resolve("unclustered.pmtiles");
        Files.write(path, HandMadeArchive.of(oracle).coding(Coding.GZIP).bytes());
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().clustered()).isFalse();
            assertFindsExactly(pack, oracle, maxZoom);
            assertThat(pack.walk(() -> false).addressedTiles()).isEqualTo(oracle.size());
        }
    }

    private static void assertFindsExactly(PmtilesPack pack, Map<TileCoord, byte[]> oracle, int maxZoom) {
        for (int z = 0; z <= Math.min(maxZoom + 1, 5); z++) {
            for (int x = 0; x < 1 << z; x++) {
                for (int y = 0; y < 1 << z; y++) {
                    TileCoord at = new TileCoord(z, x, y);
                    byte[] expected = oracle.get(at);
                    assertThat(pack.tile(at).map(Tile::bytes).orElse(null))
                            .as("%s", at)
                            .isEqualTo(expected);
                }
            }
        }
        Map<TileCoord, byte[]> visited = new HashMap<>();
        pack.tiles((at, tile) -> visited.put(at, tile.bytes()) == null);
        assertThat(visited).hasSameSizeAs(oracle);
        oracle.forEach((at, bytes) -> {
            assertThat(visited.get(at)).isEqualTo(bytes);
            assertThat(pack.tile(at).orElseThrow().bytes()).isEqualTo(bytes);
        });
    }

    /** Few distinct blobs, so that runs and shared blobs are common. */
    private static Map<TileCoord, byte[]> randomTiles(Random random, int count, int maxZoom) {
        Map<TileCoord, byte[]> tiles = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int z = random.nextInt(maxZoom + 1);
            TileCoord at = new TileCoord(z, random.nextInt(1 << z), random.nextInt(1 << z));
            byte[] bytes = new byte[1 + random.nextInt(40)];
            if (random.nextInt(3) == 0) {
                random.nextBytes(bytes);
            }
            tiles.put(at, bytes);
        }
        return tiles;
    }

    // what an earlier run left | a run that is killed before its end  ->  nothing is left
    @Test
    void whatIsStagedNeedsNobodyToRemoveIt(@TempDir Path dir) throws IOException {
        Files.writeString(dir.resolve("p.pmtiles.part"), "half a pack");
        Files.writeString(dir.resolve("p.pmtiles.tiles.part"), "tiles");
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(dir.resolve("p.pmtiles"), spec)) {
            writer.add(new TileCoord(0, 0, 0), new byte[] {1});
            assertThat(dir).isEmptyDirectory();
        }
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void moreTilesThanThereIsMemoryForAreRefusedWithWhatToDo(@TempDir Path dir) throws IOException {
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        int[] added = new int[2];
        for (int kind = 0; kind < 2; kind++) {
            try (PmtilesWriter writer = PmtilesWriter.create(dir.resolve("p.pmtiles"), spec, 1 << 20)) {
                int differs = kind;
                PackError error = catchThrowableOfType(PackError.class, () -> {
                    for (int id = 0; id < 1 << 20; id++) {
                        writer.add(
                                TileId.toTile(id), new byte[] {9, (byte) (id * differs), (byte) ((id * differs) >> 8)});
                    }
                });
                assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
                assertThat(error.detail()).contains("RON_HEAP");
                added[kind] = writer.tiles();
            }
        }
        assertThat(added[0]).isGreaterThan(added[1]); // equal tiles take less
        assertThat(added[1]).isBetween(1000, (1 << 20) / 82); // the columns of a distinct tile while they grow
        assertThat(dir).isEmptyDirectory();
    }

    // tiles of one length are a root of a few KiB in gzip, which decodes to more than is taken  ->  leaves
    @Test
    void aRootThatOurReaderWouldRefuseIsNotWritten(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("equal.pmtiles");
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            for (int id = 0; id < 300_000; id++) {
                writer.add(TileId.toTile(id), new byte[] {(byte) id, (byte) (id >> 8), (byte) (id >> 16)});
            }
            writer.finish();
        }
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().leaves().length()).isPositive();
            assertThat(pack.tile(TileId.toTile(299_999)).orElseThrow().bytes()).isEqualTo(new byte[] {-33, -109, 4});
        }
    }

    @Test
    void aLargeArchiveHasLeavesAndEqualTilesAreStoredOnce(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("large.pmtiles");
        Random random = new Random(7);
        byte[] sea = {9, 9, 9};
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            for (int x = 0; x < 256; x++) {
                for (int y = 0; y < 256; y++) {
                    byte[] own = new byte[4 + random.nextInt(60)];
                    random.nextBytes(own);
                    writer.add(new TileCoord(8, x, y), (x + y) % 2 == 0 ? sea : own);
                }
            }
            writer.finish();
        }
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().leaves().length()).isPositive();
            assertThat(pack.header().tileContents()).isEqualTo(256 * 256 / 2 + 1);
            assertThat(pack.walk(() -> false).problems()).isEmpty();
            assertThat(pack.walk(() -> true).complete()).isFalse();
            assertThat(pack.tile(new TileCoord(8, 0, 0)).orElseThrow().bytes()).isEqualTo(sea);
            assertThat(pack.tile(new TileCoord(8, 255, 255)).orElseThrow().bytes())
                    .isEqualTo(sea);
            assertThat(pack.tile(new TileCoord(7, 0, 0))).isEmpty();
        }
        try (var files = Files.list(dir)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactly("large.pmtiles");
        }
    }
}
