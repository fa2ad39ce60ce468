package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** The reference reader (npm {@code pmtiles}) reads what our writer wrote; skipped where it cannot be fetched. */
class NpmReaderTest {
    private static final int SEEDS = 10;
    private static final String SCRIPT = """
            import fs from 'node:fs';
            import crypto from 'node:crypto';
            import { PMTiles } from 'pmtiles';
            const packs = new Map();
            async function open(name) {
              const file = fs.openSync(name);
              const source = {
                getKey: () => name,
                getBytes: async (offset, length) => {
                  const buffer = Buffer.alloc(length);
                  const n = fs.readSync(file, buffer, 0, length, offset);
                  return { data: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + n) };
                },
              };
              const pack = new PMTiles(source);
              const header = await pack.getHeader();
              console.log([name, header.numAddressedTiles, header.minZoom, header.maxZoom, header.clustered,
                  (await pack.getMetadata()).name].join(' '));
              packs.set(name, pack);
            }
            for (const line of fs.readFileSync(process.argv[2], 'utf8').trim().split('\\n')) {
              const [name, at] = line.split(' ');
              if (!packs.has(name)) await open(name);
              if (at === 'header') {
                const h = await packs.get(name).getHeader();
                const e7 = [h.minLon, h.minLat, h.maxLon, h.maxLat, h.centerLon, h.centerLat].map((d) => Math.round(d * 1e7));
                console.log([name, h.tileType, h.tileCompression, h.internalCompression, ...e7, h.centerZoom].join(' '));
                continue;
              }
              const [z, x, y] = at.split('/').map(Number);
              const tile = await packs.get(name).getZxy(z, x, y);
              console.log(line + ' ' + (tile
                  ? crypto.createHash('sha256').update(Buffer.from(tile.data)).digest('hex') : 'none'));
            }
            """;

    @TempDir
    static Path folder;

    private final List<String> asked = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    @BeforeAll
    static void prepare() throws Exception {
        fetchReader(folder);
        Files.writeString(folder.resolve("read.mjs"), SCRIPT);
    }

    // Tiles of zooms 3 and 7, so many that there are leaves.
    @Test
    void findsEveryTileOfALargeArchive() throws Exception {
        Map<TileCoord, byte[]> tiles = new LinkedHashMap<>();
        fill(tiles, new Random(3), 3, 1);
        fill(tiles, new Random(3), 7, 1);
        write("large.pmtiles", tiles, Coding.GZIP);
        try (PmtilesPack pack = PmtilesPack.open(folder.resolve("large.pmtiles"), PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().leaves().length()).isPositive();
        }
        expect("large.pmtiles", tiles, 3, 7, true);
        readsWhatIsExpected();
    }

    @Test
    void findsEveryTileOfManyArchivesInBothCodingsInOrderOrNot() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int low = random.nextInt(3);
            int high = low + 1 + random.nextInt(3);
            Map<TileCoord, byte[]> tiles = new LinkedHashMap<>();
            for (int z = low; z <= high; z++) {
                fill(tiles, random, z, 0.2 + 0.8 * random.nextDouble());
            }
            for (Coding internal : List.of(Coding.GZIP, Coding.NONE)) {
                String name = seed + "-" + internal + ".pmtiles";
                write(name, tiles, internal);
                expect(name, tiles, low, high, true);
                String shuffled = seed + "-" + internal + "-shuffled.pmtiles";
                writeShuffled(shuffled, tiles, internal, random);
                expect(shuffled, tiles, 0, 31, false);
            }
        }
        readsWhatIsExpected();
    }

    // Each field another number, so that two in each other's place are seen.
    @Test
    void readsTheHeaderAsItWasMeant() throws Exception {
        Map<TileType, String> types = new EnumMap<>(Map.of(
                TileType.MVT, "1",
                TileType.PNG, "2",
                TileType.JPEG, "3",
                TileType.WEBP, "4",
                TileType.AVIF, "5",
                TileType.MLT, "6"));
        Map<Coding, String> codings = new EnumMap<>(
                Map.of(Coding.UNKNOWN, "0", Coding.NONE, "1", Coding.GZIP, "2", Coding.BROTLI, "3", Coding.ZSTD, "4"));
        for (TileType type : types.keySet()) {
            for (Coding stored : codings.keySet()) {
                for (Coding internal : List.of(Coding.NONE, Coding.GZIP)) {
                    String name = type + "-" + stored + "-" + internal + ".pmtiles";
                    ArchiveSpec spec = new ArchiveSpec(
                            type,
                            stored,
                            internal,
                            Optional.of(new Bounds(-10.5, -20.25, 30.125, 40.0000001)),
                            Optional.of(new Center(7.5, -8.75, 2)),
                            JsonNodeFactory.instance.objectNode().put("name", "ours"));
                    try (PmtilesWriter writer = PmtilesWriter.create(folder.resolve(name), spec)) {
                        writer.add(new TileCoord(1, 0, 1), new byte[] {1, 2});
                        writer.add(new TileCoord(3, 1, 2), new byte[] {1, 2, 3});
                        writer.finish();
                    }
                    asked.add(name + " header");
                    expected.add(name + " 2 1 3 true ours");
                    expected.add(name + " " + types.get(type) + " " + codings.get(stored) + " " + codings.get(internal)
                            + " -105000000 -202500000 301250000 400000001 75000000 -87500000 2");
                }
            }
        }
        readsWhatIsExpected();
    }

    private void readsWhatIsExpected() throws Exception {
        Files.write(folder.resolve("asked.txt"), asked);
        Path out = folder.resolve("out.txt");
        int code = run(folder, out, "node", "read.mjs", "asked.txt");
        List<String> lines = Files.readAllLines(out);
        assertThat(code).as(lines.getLast()).isZero();
        assertThat(lines).isEqualTo(expected);
    }

    private void expect(String name, Map<TileCoord, byte[]> tiles, int low, int high, boolean clustered)
            throws Exception {
        long counted = clustered ? tiles.size() : 0; // 0 says that the writer did not know
        expected.add(name + " " + counted + " " + low + " " + high + " " + clustered + " ours");
        for (Map.Entry<TileCoord, byte[]> tile : tiles.entrySet()) {
            String line = name + " " + tile.getKey();
            asked.add(line);
            expected.add(line + " "
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(tile.getValue())));
        }
        TileCoord beyond = new TileCoord(clustered ? high + 1 : 20, 0, 0);
        asked.add(name + " " + beyond);
        expected.add(name + " " + beyond + " none");
    }

    /** Some of the tiles of a zoom, and at least one; many of them equal. */
    private static void fill(Map<TileCoord, byte[]> tiles, Random random, int z, double share) {
        for (int x = 0; x < 1 << z; x++) {
            for (int y = 0; y < 1 << z; y++) {
                int kind = random.nextInt(4);
                boolean first = x == 0 && y == 0;
                if (first || random.nextDouble() < share) {
                    byte[] own = Blake3.hash((z + "/" + x + "/" + y).getBytes(StandardCharsets.US_ASCII))
                            .hex()
                            .repeat(Math.max(1, kind))
                            .getBytes(StandardCharsets.US_ASCII);
                    tiles.put(new TileCoord(z, x, y), kind == 0 ? new byte[] {7, 7} : own);
                }
            }
        }
    }

    private static void write(String name, Map<TileCoord, byte[]> tiles, Coding internal) throws IOException {
        ArchiveSpec spec = ArchiveSpec.of(
                TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode().put("name", "ours"));
        try (PmtilesWriter writer = PmtilesWriter.create(folder.resolve(name), spec.internalCoding(internal))) {
            for (Map.Entry<TileCoord, byte[]> tile : tiles.entrySet()) {
                writer.add(tile.getKey(), tile.getValue());
            }
            writer.finish();
        }
    }

    private static void writeShuffled(String name, Map<TileCoord, byte[]> tiles, Coding internal, Random random)
            throws IOException {
        List<TileCoord> order = new ArrayList<>(tiles.keySet());
        Collections.shuffle(order, random);
        Map<TileCoord, byte[]> shuffled = new LinkedHashMap<>();
        order.forEach(at -> shuffled.put(at, Objects.requireNonNull(tiles.get(at))));
        Files.write(
                folder.resolve(name),
                HandMadeArchive.of(shuffled)
                        .coding(internal)
                        .metadata("{\"name\":\"ours\"}".getBytes(StandardCharsets.US_ASCII))
                        .bytes());
    }

    private static void fetchReader(Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
        boolean fetched;
        try {
            Path log = folder.resolve("npm.log");
            fetched =
                    run(folder, log, "npm", "install", "--no-audit", "--no-fund", "--fetch-retries=0", "pmtiles@4.5.0")
                            == 0;
        } catch (IOException _) {
            fetched = false;
        }
        Assumptions.assumeTrue(fetched, "skipped: node or npm is missing, or npm cannot fetch pmtiles");
    }

    /** Runs for at most two minutes; the output goes to a file, so that it cannot block. */
    private static int run(Path folder, Path out, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            return -1;
        }
        return process.exitValue();
    }
}
