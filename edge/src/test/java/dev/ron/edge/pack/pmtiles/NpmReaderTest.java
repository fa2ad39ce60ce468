package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** The reference reader (npm {@code pmtiles}) finds every tile of our writer; skipped where it cannot be fetched. */
class NpmReaderTest {
    private static final String SCRIPT = """
            import fs from 'node:fs';
            import crypto from 'node:crypto';
            import { PMTiles } from 'pmtiles';
            const file = fs.openSync(process.argv[2]);
            const source = {
              getKey: () => 'file',
              getBytes: async (offset, length) => {
                const buffer = Buffer.alloc(length);
                const n = fs.readSync(file, buffer, 0, length, offset);
                return { data: buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + n) };
              },
            };
            const pack = new PMTiles(source);
            const header = await pack.getHeader();
            console.log([header.numAddressedTiles, header.minZoom, header.maxZoom, header.tileType, header.clustered].join(' '));
            console.log((await pack.getMetadata()).name);
            for (const line of fs.readFileSync(process.argv[3], 'utf8').trim().split('\\n')) {
              const [z, x, y] = line.split('/').map(Number);
              const tile = await pack.getZxy(z, x, y);
              console.log(line + ' ' + (tile
                  ? crypto.createHash('sha256').update(Buffer.from(tile.data)).digest('hex') : 'none'));
            }
            """;

    @Test
    void findsEveryTileThatWeWrote(@TempDir Path folder) throws Exception {
        fetchReader(folder);
        Path path = folder.resolve("ours.pmtiles");
        List<String> asked = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        write(path, asked, expected);
        Files.write(folder.resolve("asked.txt"), asked);
        Files.writeString(folder.resolve("read.mjs"), SCRIPT);
        Path out = folder.resolve("out.txt");
        int code = run(folder, out, "node", "read.mjs", "ours.pmtiles", "asked.txt");
        List<String> lines = Files.readAllLines(out);
        assertThat(code).as(String.join("\n", lines)).isZero();
        assertThat(lines.getFirst()).isEqualTo((expected.size() - 2) + " 3 7 1 true");
        assertThat(lines.get(1)).isEqualTo("ours");
        assertThat(lines.subList(2, lines.size())).isEqualTo(expected);
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

    /** Tiles of zooms 3 and 7, some of them equal, so many that there are leaves; and two that are not there. */
    private static void write(Path path, List<String> asked, List<String> expected) throws Exception {
        Random random = new Random(3);
        ArchiveSpec spec = ArchiveSpec.of(
                TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode().put("name", "ours"));
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            for (int z : new int[] {3, 7}) {
                for (int x = 0; x < 1 << z; x++) {
                    for (int y = 0; y < 1 << z; y++) {
                        int kind = random.nextInt(4);
                        byte[] bytes = kind == 0
                                ? new byte[] {7, 7}
                                : Blake3.hash((z + "/" + x + "/" + y).getBytes(StandardCharsets.US_ASCII))
                                        .hex()
                                        .repeat(kind)
                                        .getBytes(StandardCharsets.US_ASCII);
                        writer.add(new TileCoord(z, x, y), bytes);
                        String name = z + "/" + x + "/" + y;
                        asked.add(name);
                        expected.add(name + " "
                                + HexFormat.of()
                                        .formatHex(MessageDigest.getInstance("SHA-256")
                                                .digest(bytes)));
                    }
                }
            }
            writer.finish();
        }
        for (String missing : new String[] {"2/0/0", "8/1/1"}) {
            asked.add(missing);
            expected.add(missing + " none");
        }
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().leaves().length()).isPositive();
        }
    }
}
