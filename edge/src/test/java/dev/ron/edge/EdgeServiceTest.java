package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.demo.DemoWorld;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The HTTP surface over real sockets: tiles, documents, ranges, conditions, files. */
class EdgeServiceTest {
    private static final String TILE = "/edge/tiles/world/3/2/3.mvt";

    @TempDir
    static Path folder;

    private static TestEdge edge;
    private static byte[] large;

    @BeforeAll
    static void start() throws IOException {
        Path packs = Files.createDirectories(folder.resolve("packs"));
        new DemoWorld().write(packs.resolve("world.pmtiles"));
        Path assets = Files.createDirectories(folder.resolve("assets/sub"));
        Files.writeString(assets.resolve("hello world.txt"), "hello");
        Files.writeString(assets.resolve("page.html"), "<script>alert(1)</script>");
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.createDirectories(packs.resolve("styles"));
        Files.writeString(packs.resolve("styles/plain.json"), "{}");
        large = new byte[5 << 20];
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("assets/large.bin"), large);
        edge = new TestEdge("""
            [edge]
            packs_dir = "%s"
            assets_dir = "%s"
            packs_interval = "20ms"
            [edge.ingress]
            rps_limit = 1000000
            [edge.http]
            enable_multi_range = true
            """.formatted(packs, folder.resolve("assets")), Optional.of(folder.resolve("data")));
    }

    @AfterAll
    static void stop() {
        edge.close();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void aTileComesAsStoredWithTheDigestOfItsBytes() {
        HttpResponse<byte[]> answer = edge.get(TILE, "Accept-Encoding", "gzip");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(answer, "Content-Type")).isEqualTo("application/vnd.mapbox-vector-tile");
        assertThat(header(answer, "ETag"))
                .isEqualTo("\"b3:" + Blake3.hash(answer.body()).hex() + "\"");
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
        try (PmtilesPack pack = PmtilesPack.open(folder.resolve("packs/world.pmtiles"), PmtilesLimits.DEFAULT)) {
            assertThat(answer.body())
                    .isEqualTo(pack.tile(new TileCoord(3, 2, 3)).orElseThrow().bytes());
        }
        HttpResponse<byte[]> again = edge.get(TILE, "Accept-Encoding", "gzip");
        assertThat(header(again, "Cache-Status")).isEqualTo("edge; hit");
        assertThat(again.body()).isEqualTo(answer.body());
    }

    @Test
    void whoCannotReadTheCodingGetsThePlainTileUnderAnotherTag() {
        HttpResponse<byte[]> packed = edge.get(TILE, "Accept-Encoding", "br, gzip;q=0.5");
        for (String accepts : new String[] {"identity", "gzip;q=0, *;q=0", "br"}) {
            HttpResponse<byte[]> plain = edge.get(TILE, "Accept-Encoding", accepts);
            assertThat(header(plain, "Content-Encoding")).isEmpty();
            assertThat(plain.body()).isEqualTo(Unpacking.unpack(Coding.GZIP, packed.body(), 1 << 20, "tile"));
            assertThat(header(plain, "ETag")).isNotEqualTo(header(packed, "ETag"));
        }
    }

    @Test
    void whatTheClientHasIsNotSentAgain() {
        String tag = header(edge.get(TILE), "ETag");
        HttpResponse<byte[]> answer = edge.get(TILE, "If-None-Match", "\"other\", W/" + tag);
        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
        assertThat(header(answer, "ETag")).isEqualTo(tag);
        assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=3600");
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(answer.headers().map().keySet())
                .containsExactlyInAnyOrder(
                        "access-control-allow-origin",
                        "cache-control",
                        "cache-status",
                        "connection", // the client offers an upgrade, after which nothing follows
                        "date",
                        "etag",
                        "vary",
                        "x-corr-id");
        assertThat(edge.get(TILE, "If-Match", "\"other\"").statusCode()).isEqualTo(412);
        String old = "Thu, 01 Jan 1970 00:00:00 GMT";
        assertThat(edge.get(TILE, "If-None-Match", tag, "If-Modified-Since", old)
                        .statusCode())
                .isEqualTo(304);
        assertThat(edge.get(TILE, "If-None-Match", "*").statusCode()).isEqualTo(304);
        assertThat(edge.get(TILE, "If-None-Match", tag, "Range", "bytes=0-0").statusCode())
                .isEqualTo(304);
        assertThat(edge.get(TILE, "If-None-Match", tag, "If-Match", "\"other\"").statusCode())
                .isEqualTo(412);
        assertThat(edge.get(TILE, "If-None-Match", tag.toUpperCase(Locale.ROOT)).statusCode())
                .isEqualTo(200);
        assertThat(edge.get(TILE, "If-Match", tag).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {TILE, "/edge/assets/large.bin", "/edge/assets/world.pmtiles"})
    void rangesAreSlicesOfTheWhole(String path) {
        byte[] whole = edge.get(path).body();
        int length = whole.length;
        HttpResponse<byte[]> middle = edge.get(path, "Range", "bytes=10-99");
        assertThat(middle.statusCode()).isEqualTo(206);
        assertThat(header(middle, "Content-Range")).isEqualTo("bytes 10-99/" + length);
        assertThat(middle.body()).isEqualTo(Arrays.copyOfRange(whole, 10, 100));
        HttpResponse<byte[]> tail = edge.get(path, "Range", "bytes=-7");
        assertThat(tail.body()).isEqualTo(Arrays.copyOfRange(whole, length - 7, length));
        HttpResponse<byte[]> beyond = edge.get(path, "Range", "bytes=" + length + "-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(header(beyond, "Content-Range")).isEqualTo("bytes */" + length);
        assertThat(header(beyond, "Access-Control-Allow-Origin")).isEqualTo("*");
        String tag = header(middle, "ETag");
        assertThat(edge.get(path, "Range", "bytes=0-0", "If-Range", tag).statusCode())
                .isEqualTo(206);
        assertThat(edge.get(path, "Range", "bytes=0-0", "If-Range", "\"other\"").statusCode())
                .isEqualTo(200);
        HttpResponse<byte[]> two = edge.get(path, "Range", "bytes=0-4,200-204");
        assertThat(header(two, "Content-Type")).startsWith("multipart/byteranges; boundary=");
        assertThat(new String(two.body(), StandardCharsets.ISO_8859_1))
                .contains("Content-Range: bytes 200-204/" + length);
        HttpResponse<byte[]> head = edge.send("HEAD", path);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "Content-Length")).isEqualTo(String.valueOf(length));
        assertThat(header(head, "ETag")).isEqualTo(tag);
    }

    @Test
    void aLargeFileIsTheSameFromThePoolAndFromTheKernel() {
        // The first answer reads it on the pool and makes it warm, those that follow go by sendfile.
        for (int i = 0; i < 4; i++) {
            assertThat(edge.get("/edge/assets/large.bin").body()).isEqualTo(large);
        }
        byte[] part = edge.get("/edge/assets/large.bin", "Range", "bytes=1048570-3145739")
                .body();
        assertThat(part).isEqualTo(Arrays.copyOfRange(large, 1048570, 3145740));
    }

    @Test
    void tileJsonNamesTilesThatCanBeKeptForEver() {
        JsonNode json = new StrictJson().tree(edge.get("/edge/tiles/world.json").body());
        assertThat(json.path("tilejson").asString()).isEqualTo("3.0.0");
        assertThat(json.path("vector_layers").size()).isEqualTo(4);
        String url = json.path("tiles").get(0).asString();
        assertThat(url).startsWith("http://127.0.0.1:" + edge.port() + "/edge/tiles/world/{z}/{x}/{y}.mvt?v=");
        String path = url.substring(url.indexOf("/edge")).replace("{z}/{x}/{y}", "2/1/1");
        HttpResponse<byte[]> first = edge.get(path);
        assertThat(header(first, "Cache-Status")).isEqualTo("edge; fwd=miss; stored");
        assertThat(header(first, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
        assertThat(header(edge.get(path), "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
        HttpResponse<byte[]> same = edge.get(path, "If-None-Match", header(edge.get(path), "ETag"));
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(header(same, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
        assertThat(header(edge.get(path.replace("?v=", "?v=0")), "Cache-Control"))
                .isEqualTo("public, max-age=3600");
    }

    @Test
    void theCatalogueKnowsEveryPack() {
        Eventually.await(
                "the pack was looked through",
                () -> new String(edge.get("/edge/catalog").body(), StandardCharsets.UTF_8)
                        .contains("\"checked\":true"));
        JsonNode json = new StrictJson().tree(edge.get("/edge/catalog").body());
        JsonNode pack = json.path("packs").get(0);
        assertThat(pack.path("name").asString()).isEqualTo("world");
        assertThat(pack.path("tiles").asInt()).isEqualTo(5461);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/edge/tiles/world/7/0/0.mvt", // beyond the zooms
                "/edge/tiles/world/1/2/0.mvt", // beyond the columns
                "/edge/tiles/world/01/0/0.mvt",
                "/edge/tiles/world/1/+1/0.mvt",
                "/edge/tiles/world/1/0/0",
                "/edge/tiles/none/0/0/0.mvt",
                "/edge/tiles/world",
                "/edge/assets/none.txt",
                "/edge/nothing",
                "/cas/b3/af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
            })
    void whatIsNotThereIsNotFoundAlsoForPagesOfOtherSites(String path) {
        HttpResponse<byte[]> answer = edge.get(path, "Origin", "https://map.example");
        assertThat(answer.statusCode()).as(path).isEqualTo(404);
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void wrongRequestsAreToldSo() {
        assertThat(edge.get("/edge/tiles/world/0/0/0.png").statusCode()).isEqualTo(400);
        assertThat(edge.get("/cas/b3/ABC").statusCode()).isEqualTo(400);
        HttpResponse<byte[]> post = edge.send("POST", TILE);
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(header(post, "Allow")).contains("GET").contains("HEAD");
        HttpResponse<byte[]> preflight = edge.send("OPTIONS", TILE, "Origin", "https://map.example");
        assertThat(preflight.statusCode()).isEqualTo(204);
        assertThat(header(preflight, "Access-Control-Allow-Headers"))
                .contains("Range")
                .contains("If-None-Match");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/edge/assets/../secret.txt",
                "/edge/assets/%2e%2e/secret.txt",
                "/edge/assets/%2e%2e%2fsecret.txt",
                "/edge/assets/..%2fsecret.txt",
                "/edge/assets/..%5csecret.txt",
                "/edge/assets/%252e%252e/secret.txt",
                "/edge/assets/sub/..%00/secret.txt",
                "/edge/assets/..;/secret.txt",
                "/edge/assets/.%2e/secret.txt",
                "/edge/assets/%c0%ae%c0%ae/secret.txt",
                "/edge/assets/%uff0e%uff0e/secret.txt",
                "/edge/assets/sub//../../secret.txt",
                "/edge/assets//etc/passwd",
                "/edge/styles/../../secret.txt",
                "/edge/fonts/..%2f..%2f/secret.txt",
                "/edge/ui/..%2fPageFiles.class"
            })
    void noPathLeadsOut(String path) {
        var answer = edge.client()
                .send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                .read();
        assertThat(answer.status()).as(path).isIn(400, 404);
        assertThat(answer.body()).doesNotContain("secret\n").doesNotContain("root:");
    }

    @Test
    void filesAreServedByTheirNamesAndCannotActInOurName() {
        HttpResponse<byte[]> text = edge.get("/edge/assets/sub/hello%20world.txt");
        assertThat(new String(text.body(), StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(header(text, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(edge.get("/edge/assets/sub/page.html"), "Content-Security-Policy"))
                .startsWith("sandbox");
        assertThat(edge.get("/edge/styles/plain.json").statusCode()).isEqualTo(200);
        assertThat(edge.get("/edge/fonts/Some%20Font/0-255.pbf").body()).hasSizeGreaterThan(50_000);
    }

    @Test
    void aChangedFileIsSeen() throws IOException {
        Path file = folder.resolve("assets/changing.txt");
        Files.writeString(file, "old");
        assertThat(edge.get("/edge/assets/changing.txt").body()).isEqualTo("old".getBytes(StandardCharsets.UTF_8));
        Path next = folder.resolve("assets/.next");
        Files.writeString(next, "newer");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        Eventually.await(
                "the new file",
                () -> Arrays.equals(
                        edge.get("/edge/assets/changing.txt").body(), "newer".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void thePageAsksNobodyElse() {
        HttpResponse<byte[]> page = edge.get("/edge/", "Accept-Encoding", "gzip");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Security-Policy"))
                .contains("default-src 'none'")
                .contains("script-src 'self'");
        assertThat(header(page, "Content-Encoding")).isEqualTo("gzip");
        for (String file :
                new String[] {"edge.js", "style.js", "edge.css", "maplibre-gl.mjs", "maplibre-gl-worker.mjs"}) {
            assertThat(edge.get("/edge/ui/" + file).statusCode()).as(file).isEqualTo(200);
        }
        assertThat(edge.get("/edge").statusCode()).isEqualTo(308);
    }

    @Test
    void thePageAndTheGlyphsHaveTheirOwnNames() {
        assertThat(edge.get("/edge/").statusCode()).isEqualTo(200);
        assertThat(edge.get("/edge/fonts/any/0-255.pbf").statusCode()).isEqualTo(200);
        assertThat(edge.get("/edge/fonts/any/index.html").statusCode()).isEqualTo(404);
        assertThat(edge.get("/edge/ui/0-255.pbf").statusCode()).isEqualTo(404);
    }
}
