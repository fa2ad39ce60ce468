package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** What an answer says beside its bytes, under one configuration and another. */
@Timeout(60)
class AnswersTest {
    private static final byte[] LARGE = new byte[300_000];

    static {
        new Random(5).nextBytes(LARGE);
    }

    @TempDir
    Path folder;

    private TestEdge edge(String lines) throws IOException {
        return new TestEdge(
                """
                [edge]
                packs_dir = "%s"
                assets_dir = "%s"
                packs_interval = "10ms"
                %s
                """.formatted(packs(), Files.createDirectories(folder.resolve("assets")), lines), Optional.empty());
    }

    private Path packs() throws IOException {
        return Files.createDirectories(folder.resolve("packs"));
    }

    private void write(String name, TileType type, Coding coding, TileCoord at, byte[] plain) throws IOException {
        try (PmtilesWriter writer = PmtilesWriter.create(
                packs().resolve(name + ".pmtiles"),
                ArchiveSpec.of(type, coding, JsonNodeFactory.instance.objectNode()))) {
            writer.add(at, Packing.pack(coding, plain));
            writer.finish();
        }
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static byte[] tile() {
        return "\u001a tile".repeat(20_000).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"204", "404"})
    void whereAPackHasAHoleSoItIsSaidForAMinute(int status) throws Exception {
        write("p", TileType.MVT, Coding.NONE, new TileCoord(3, 0, 0), tile());
        try (TestEdge edge = edge("missing_tile = " + status)) {
            for (String from : List.of("edge; fwd=miss; stored", "edge; hit")) {
                HttpResponse<byte[]> answer = edge.get("/edge/tiles/p/3/1/1.mvt");
                assertThat(answer.statusCode()).isEqualTo(status);
                assertThat(answer.headers().allValues("Cache-Control")).containsExactly("public, max-age=60");
                assertThat(header(answer, "Cache-Status")).isEqualTo(from);
                assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
                assertThat(header(answer, "Content-Type")).isEqualTo(status == 404 ? "application/problem+json" : "");
            }
        }
    }

    @Test
    void whatDecodesToTooMuchIsRefusedToWhoCannotReadTheCoding() throws Exception {
        write("p", TileType.MVT, Coding.GZIP, new TileCoord(0, 0, 0), tile());
        try (TestEdge edge = edge("[edge.ingress]\ndecompress_abs_bytes = \"64KiB\"")) {
            HttpResponse<byte[]> refused = edge.get("/edge/tiles/p/0/0/0.mvt");
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                    .contains("\"reason\":\"decompress_cap\"", "decompress_abs_bytes");
            assertThat(edge.get("/edge/tiles/p/0/0/0.mvt", "Accept-Encoding", "gzip")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(edge.metrics())
                    .contains("edge_rejects_total{reason=\"decompress_cap\",service=\"edge\"} 1")
                    .contains("edge_rejects_total{reason=\"amnesia\",service=\"edge\"} 0");
        }
    }

    @Test
    void cacheStatusTellsWhereAnAnswerCameFrom() throws Exception {
        write("p", TileType.PNG, Coding.NONE, new TileCoord(0, 0, 0), LARGE);
        try (TestEdge edge = edge("")) {
            Path small = Files.writeString(folder.resolve("assets/small.txt"), "small");
            Files.write(folder.resolve("assets/large.bin"), LARGE);
            assertThat(status(edge, "/edge/assets/small.txt")).isEqualTo("edge; fwd=miss; stored");
            assertThat(status(edge, "/edge/assets/small.txt")).isEqualTo("edge; hit");
            Files.setLastModifiedTime(small, FileTime.from(Instant.EPOCH)); // so that it is looked at and read again
            Eventually.await(
                    "it is read again",
                    () -> status(edge, "/edge/assets/small.txt").equals("edge; fwd=miss; stored"));
            for (String path : List.of("/edge/assets/large.bin", "/edge/assets/p.pmtiles")) {
                assertThat(status(edge, path)).as(path).isEqualTo("edge; fwd=miss");
                assertThat(status(edge, path)).as(path).isEqualTo("edge; hit");
            }
        }
    }

    // a small file that nobody has changed | it is looked at once a second  ->  each answer from memory is a hit
    @Test
    void aFileThatIsOnlyLookedAtAgainIsAHit() throws Exception {
        try (TestEdge edge = edge("")) {
            Path small = Files.writeString(folder.resolve("assets/small.txt"), "small");
            FileTime before = Files.getLastModifiedTime(small);
            status(edge, "/edge/assets/small.txt");
            long looks = staticHits(edge);
            Eventually.await("it was looked at again", () -> {
                assertThat(status(edge, "/edge/assets/small.txt")).isEqualTo("edge; hit");
                return staticHits(edge) > looks;
            });
            assertThat(Files.getLastModifiedTime(small)).isEqualTo(before);
        }
    }

    private static long staticHits(TestEdge edge) {
        return edge.metrics()
                .lines()
                .filter(line -> line.startsWith("edge_cache_hits_total{kind=\"static\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static String status(TestEdge edge, String path) {
        HttpResponse<byte[]> answer = edge.get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        return header(answer, "Cache-Status");
    }

    @Test
    void cacheStatusCanBeTurnedOffEverywhere() throws Exception {
        write("p", TileType.PNG, Coding.NONE, new TileCoord(1, 0, 0), LARGE);
        try (TestEdge edge = edge("[edge.http]\ncache_status = false")) {
            Files.writeString(folder.resolve("assets/small.txt"), "small");
            Files.write(folder.resolve("assets/large.bin"), LARGE);
            for (String path : List.of(
                    "/edge/assets/small.txt",
                    "/edge/assets/large.bin",
                    "/edge/assets/p.pmtiles",
                    "/edge/tiles/p/1/0/0.png",
                    "/edge/tiles/p/1/1/1.png")) {
                for (String range : List.of("bytes=0-0", "bytes=9999999-", "items=0-0")) {
                    HttpResponse<byte[]> answer = edge.get(path, "Range", range);
                    assertThat(answer.statusCode()).isIn(200, 204, 206, 416);
                    assertThat(header(answer, "Cache-Status"))
                            .as(path + " " + range)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void tileJsonIsForItsCallerAloneUnlessTheServerKnowsItsName() throws Exception {
        write("p", TileType.PNG, Coding.NONE, new TileCoord(0, 0, 0), LARGE);
        try (TestEdge edge = edge("")) {
            assertThat(header(edge.get("/edge/tiles/p.json"), "Cache-Control")).isEqualTo("private, no-cache");
        }
        try (TestEdge edge = edge("public_url = \"https://tiles.example.org\"\nversioned_tiles = false")) {
            HttpResponse<byte[]> answer = edge.get("/edge/tiles/p.json");
            assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=3600");
            assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                    .contains("\"https://tiles.example.org/edge/tiles/p/{z}/{x}/{y}.png\"");
        }
    }

    @Test
    void withoutAPreviewThereIsNoPage() throws Exception {
        write("p", TileType.PNG, Coding.NONE, new TileCoord(0, 0, 0), LARGE);
        try (TestEdge edge = edge("preview = false")) {
            for (String path : List.of("/edge/", "/edge", "/", "/edge/ui/edge.js")) {
                assertThat(edge.get(path).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(edge.get("/edge/tiles/p/0/0/0.png").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MVT, application/vnd.mapbox-vector-tile, mvt, pbf",
        "PNG, image/png, png, png",
        "JPEG, image/jpeg, jpg, jpeg",
        "WEBP, image/webp, webp, webp",
        "AVIF, image/avif, avif, avif",
        "MLT, application/vnd.maplibre-tile, mlt, mlt"
    })
    void aTypeHasItsMediaTypeAndItsNames(TileType type, String mediaType, String name, String alias) throws Exception {
        write("p", type, Coding.NONE, new TileCoord(0, 0, 0), LARGE);
        try (TestEdge edge = edge("")) {
            for (TileType other : TileType.values()) {
                boolean same = other == type;
                HttpResponse<byte[]> answer = edge.get("/edge/tiles/p/0/0/0." + other.extension());
                assertThat(answer.statusCode()).as(other.name()).isEqualTo(same ? 200 : 400);
            }
            for (String extension : List.of(name, alias)) {
                HttpResponse<byte[]> answer = edge.get("/edge/tiles/p/0/0/0." + extension);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(header(answer, "Content-Type")).isEqualTo(mediaType);
                assertThat(answer.body()).isEqualTo(LARGE);
            }
            String json = new String(edge.get("/edge/tiles/p.json").body(), StandardCharsets.UTF_8);
            assertThat(json.contains("\"encoding\":\"mlt\"")).isEqualTo(type == TileType.MLT);
        }
    }

    @Test
    void aDatabaseIsReadByRanges() throws Exception {
        Path file = packs().resolve("d.mbtiles");
        TestMbtiles.write(file, "png", Map.of(new TileCoord(0, 0, 0), LARGE));
        byte[] whole = Files.readAllBytes(file);
        try (TestEdge edge = edge("")) {
            HttpResponse<byte[]> part = edge.get("/edge/assets/d.mbtiles", "Range", "bytes=0-15");
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(new String(part.body(), StandardCharsets.US_ASCII)).startsWith("SQLite format 3");
            assertThat(header(part, "Content-Type")).isEqualTo("application/vnd.sqlite3");
            HttpResponse<byte[]> rest =
                    edge.get("/edge/assets/d.mbtiles", "Range", "bytes=16-", "If-Range", header(part, "ETag"));
            assertThat(rest.statusCode()).isEqualTo(206);
            assertThat(rest.body()).isEqualTo(Arrays.copyOfRange(whole, 16, whole.length));
        }
    }

    // a file as old as a date says | a condition on that date  ->  200; a range under it: the whole, a date is weak
    @Test
    void datesDecideToTheSecondAndKeepNoRange() throws Exception {
        String before = "Sun, 01 Mar 2026 11:59:59 GMT";
        String at = "Sun, 01 Mar 2026 12:00:00 GMT";
        try (TestEdge edge = edge("")) {
            Path file = Files.write(folder.resolve("assets/large.bin"), LARGE);
            Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-03-01T12:00:00.5Z")));
            assertThat(header(edge.get("/edge/assets/large.bin"), "Last-Modified"))
                    .isEqualTo(at);
            assertThat(edge.get("/edge/assets/large.bin", "If-Unmodified-Since", at)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(edge.get("/edge/assets/large.bin", "If-Unmodified-Since", before)
                            .statusCode())
                    .isEqualTo(412);
            HttpResponse<byte[]> whole = edge.get("/edge/assets/large.bin", "Range", "bytes=0-0", "If-Range", at);
            assertThat(whole.statusCode()).isEqualTo(200);
            assertThat(whole.body()).isEqualTo(LARGE);
        }
    }

    @Test
    void severalRangesOfAFileComeEachWithItsBytes() throws Exception {
        try (TestEdge edge = edge("[edge.http]\nenable_multi_range = true")) {
            Files.write(folder.resolve("assets/large.bin"), LARGE);
            HttpResponse<byte[]> answer = edge.get("/edge/assets/large.bin", "Range", "bytes=0-4,100000-250000");
            assertThat(answer.statusCode()).isEqualTo(206);
            String type = header(answer, "Content-Type");
            String boundary = type.substring(type.indexOf("boundary=") + "boundary=".length());
            String part = "\r\n--" + boundary + "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ";
            String expected = part + "0-4/300000\r\n\r\n" + latin1(0, 5)
                    + part + "100000-250000/300000\r\n\r\n" + latin1(100_000, 250_001)
                    + "\r\n--" + boundary + "--\r\n";
            String came = new String(answer.body(), StandardCharsets.ISO_8859_1);
            assertThat(Blake3.hash(answer.body()))
                    .as(came.substring(0, 200))
                    .isEqualTo(Blake3.hash(expected.getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    // a tile that is stored in gzip | two ranges of it  ->  each part says that it is coded, the whole does not
    @Test
    void severalRangesOfACodedTileSaySoInTheParts() throws Exception {
        write("p", TileType.MVT, Coding.GZIP, new TileCoord(0, 0, 0), tile());
        try (TestEdge edge = edge("[edge.http]\nenable_multi_range = true")) {
            HttpResponse<byte[]> answer =
                    edge.get("/edge/tiles/p/0/0/0.mvt", "Accept-Encoding", "gzip", "Range", "bytes=0-1,200-201");
            assertThat(answer.statusCode()).isEqualTo(206);
            assertThat(header(answer, "Content-Encoding")).isEmpty();
            assertThat(new String(answer.body(), StandardCharsets.ISO_8859_1).split("Content-Encoding: gzip\r\n", -1))
                    .hasSize(3);
        }
    }

    private static String latin1(int from, int to) {
        return new String(LARGE, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
