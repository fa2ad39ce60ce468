package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import dev.ron.http.json.StrictJson;
import dev.ron.http.testing.RawClient;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON about packs: made once, anew when something changes, and true. */
@Timeout(60)
class DocumentsTest {
    private static final Pattern HOT = Pattern.compile("edge_hot_objects\\{service=\"edge\"} ([0-9]+)");

    @TempDir
    Path folder;

    private Path packs = Path.of("");

    private TestEdge edge(String more) throws IOException {
        packs = Files.createDirectories(folder.resolve("packs"));
        return new TestEdge("""
                [edge]
                packs_dir = "%s"
                packs_interval = "20ms"
                %s
                """.formatted(packs, more), Optional.of(folder.resolve("data")));
    }

    private void write(String name, int tiles) throws IOException {
        ArchiveSpec spec = ArchiveSpec.of(
                TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode().put("name", "with " + tiles));
        try (PmtilesWriter writer = PmtilesWriter.create(packs.resolve(name + ".pmtiles"), spec)) {
            for (int x = 0; x < tiles; x++) {
                writer.add(new TileCoord(4, x, 0), new byte[] {26, (byte) x});
            }
            writer.finish();
        }
    }

    /** Beside the folder, then by rename: half a database is no pack. */
    private void database(Map<TileCoord, byte[]> tiles) throws Exception {
        Path aside = folder.resolve("base.mbtiles");
        TestMbtiles.write(aside, "png", tiles);
        Files.move(aside, packs.resolve("base.mbtiles"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static long hot(TestEdge edge) {
        Matcher found = HOT.matcher(edge.metrics());
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1));
    }

    /** The status for who asks a second time. */
    private static int again(TestEdge edge, String path) {
        String tag = edge.get(path).headers().firstValue("ETag").orElseThrow();
        return edge.get(path, "If-None-Match", tag).statusCode();
    }

    private static JsonNode catalogue(TestEdge edge) {
        return new StrictJson().tree(edge.get("/edge/catalog").body());
    }

    private static JsonNode pack(TestEdge edge, String name) {
        return catalogue(edge)
                .path("packs")
                .valueStream()
                .filter(pack -> pack.path("name").asString().equals(name))
                .findFirst()
                .orElse(JsonNodeFactory.instance.objectNode());
    }

    @Test
    void aDocumentIsMadeOnceForEachHostAndKeptInMemory() throws IOException {
        try (TestEdge edge = edge("verify = \"header\"")) {
            write("world", 3);
            Eventually.await("mounted", () -> pack(edge, "world").has("tilejson"));
            // It is another one after each thing that is found out about a pack.
            Eventually.await("the catalogue stays", () -> again(edge, "/edge/catalog") == 304);
            long before = hot(edge);
            for (String path : new String[] {"/edge/tiles/world.json", "/edge/tiles/world/metadata"}) {
                assertThat(again(edge, path)).as(path).isEqualTo(304);
            }
            assertThat(hot(edge)).isEqualTo(before + 2);
            try (RawClient other = edge.client()) {
                String json = other.get("/edge/tiles/world.json").read().body();
                assertThat(json).contains("http://x/edge/tiles/world/");
            }
            assertThat(new String(edge.get("/edge/tiles/world.json").body(), StandardCharsets.UTF_8))
                    .contains("http://127.0.0.1:" + edge.port());
            assertThat(hot(edge)).isEqualTo(before + 3);
        }
    }

    // statistics that are not kept in memory | asked for all the same  ->  the pack's own words, of either kind
    @Test
    void theMetadataOfAPackIsAllOfIt() throws Exception {
        try (TestEdge edge = edge("")) {
            ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, (ObjectNode) new StrictJson()
                    .tree("{\"tilestats\":{\"layerCount\":1},\"name\":\"n\"}".getBytes(StandardCharsets.UTF_8)));
            try (PmtilesWriter writer = PmtilesWriter.create(packs.resolve("world.pmtiles"), spec)) {
                writer.add(new TileCoord(0, 0, 0), new byte[] {26, 0});
                writer.finish();
            }
            database(Map.of(new TileCoord(0, 0, 0), new byte[9]));
            Eventually.await("both", () -> catalogue(edge).path("packs").size() == 2);
            assertThat(edge.get("/edge/tiles/world/metadata").body())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{\"tilestats\":{\"layerCount\":1},\"name\":\"n\"}");
            assertThat(edge.get("/edge/tiles/base/metadata").body())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{}");
            assertThat(edge.get("/edge/tiles/none/metadata").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void documentsFollowWhatIsMounted() throws IOException {
        try (TestEdge edge = edge("")) {
            assertThat(catalogue(edge).path("packs")).isEmpty();
            write("world", 3);
            Eventually.await(
                    "looked through", () -> pack(edge, "world").path("tiles").asInt() == 3);
            write("world", 5);
            Eventually.await(
                    "the next one", () -> pack(edge, "world").path("tiles").asInt() == 5);
            assertThat(new String(edge.get("/edge/tiles/world.json").body(), StandardCharsets.UTF_8))
                    .contains("with 5");
            Files.writeString(packs.resolve("bad.pmtiles"), "no pack");
            Eventually.await("the fault", () -> catalogue(edge).path("faults").size() == 1);
            Files.delete(packs.resolve("bad.pmtiles"));
            Files.delete(packs.resolve("world.pmtiles"));
            Eventually.await(
                    "gone",
                    () -> catalogue(edge).path("packs").isEmpty()
                            && catalogue(edge).path("faults").isEmpty());
        }
    }

    // no word about verification in the configuration  ->  rows or directories are counted, the digest follows
    @Test
    void everyPackIsLookedThroughAndGetsItsDigest() throws Exception {
        try (TestEdge edge = edge("")) {
            write("world", 3);
            database(Map.of(new TileCoord(1, 0, 0), new byte[700_000], new TileCoord(1, 1, 0), new byte[500_000]));
            for (String file : new String[] {"world.pmtiles", "base.mbtiles"}) {
                String name = file.substring(0, file.indexOf('.'));
                String digest =
                        Blake3.hash(Files.readAllBytes(packs.resolve(file))).hex();
                Eventually.await(
                        "the digest of " + name,
                        () -> pack(edge, name).path("digest").asString("").equals(digest));
                assertThat(pack(edge, name).path("checked").asBoolean()).isTrue();
            }
            assertThat(pack(edge, "base").path("tiles").asInt()).isEqualTo(2);
        }
    }

    @Test
    void whatWasNotLookedThroughIsNotSaidToBe() throws Exception {
        try (TestEdge edge = edge("verify = \"header\"")) {
            database(Map.of(new TileCoord(0, 0, 0), new byte[9]));
            Eventually.await("mounted", () -> pack(edge, "base").has("checked"));
            assertThat(pack(edge, "base").path("checked").asBoolean()).isFalse();
        }
    }

    @Test
    void theBoundOnTilesHoldsForDatabasesToo() throws Exception {
        try (TestEdge edge = edge("max_tile_bytes = \"64KiB\"")) {
            database(Map.of(new TileCoord(1, 0, 0), new byte[65_537], new TileCoord(1, 1, 0), new byte[65_536]));
            Eventually.await("mounted", () -> pack(edge, "base").has("tilejson"));
            HttpResponse<byte[]> large = edge.get("/edge/tiles/base/1/0/0.png");
            assertThat(large.statusCode()).isEqualTo(503);
            assertThat(new String(large.body(), StandardCharsets.UTF_8)).contains("\"reason\":\"pack_too_large\"");
            assertThat(edge.get("/edge/tiles/base/1/1/0.png").body()).hasSize(65_536);
        }
    }
}
