package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import dev.ron.http.testing.RawClient;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.service.reload.ReloadOutcome;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Packs that come, go, are swapped and spoiled while they are served. */
class FaultsTest {
    private static final int SWAPS = 100;

    private static final int BULK = 3 << 20;

    private static final int BLOCK = 64 << 10;

    private final Map<String, Digest> published = new ConcurrentHashMap<>(); // by the tag that it will have
    private final Map<String, List<Digest>> blocks = new ConcurrentHashMap<>();

    @TempDir
    Path folder;

    private TestEdge edge(String more) throws IOException {
        Path packs = Files.createDirectories(folder.resolve("packs"));
        return new TestEdge(
                "[edge]\npacks_dir = \"%s\"\npacks_interval = \"10ms\"\n%s\n[edge.ingress]\nrps_limit = 1000000\n"
                        .formatted(packs, more),
                Optional.empty());
    }

    /**
     * A pack of several pieces whose every tile says which version it is of, with its digest, so that a mixture cannot go
     * unseen.
     */
    private void publish(int version) throws IOException {
        Files.createDirectories(folder.resolve("packs"));
        Path half = folder.resolve("half.pmtiles");
        try (PmtilesWriter writer = PmtilesWriter.create(
                half, ArchiveSpec.of(TileType.MVT, Coding.GZIP, JsonNodeFactory.instance.objectNode()))) {
            for (int z = 0; z <= 3; z++) {
                for (int x = 0; x < 1 << z; x++) {
                    for (int y = 0; y < 1 << z; y++) {
                        writer.add(new TileCoord(z, x, y), Packing.pack(Coding.GZIP, tile(version, z, x, y)));
                    }
                }
            }
            byte[] bulk = new byte[BULK];
            new Random(version).nextBytes(bulk);
            writer.add(new TileCoord(4, 0, 0), bulk);
            writer.finish();
        }
        try (Pack pack = PackOpener.DEFAULT.open(half)) {
            byte[] whole = Files.readAllBytes(half);
            blocks.put(
                    pack.tag().toString(),
                    IntStream.range(0, BULK / BLOCK)
                            .mapToObj(i -> Blake3.hash(Arrays.copyOfRange(whole, i * BLOCK, (i + 1) * BLOCK)))
                            .toList());
            published.put(pack.tag().toString(), Blake3.hash(whole));
        }
        Files.move(
                half,
                folder.resolve("packs/p.pmtiles"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] tile(int version, int z, int x, int y) {
        String text = "version " + version + " tile " + z + "/" + x + "/" + y + " ";
        byte[] body = text.repeat(1 + version % 7).getBytes(StandardCharsets.US_ASCII);
        return (Blake3.hash(body).hex() + new String(body, StandardCharsets.US_ASCII))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean isWhole(String body) {
        return body.length() > 64
                && Blake3.hash(body.substring(64).getBytes(StandardCharsets.US_ASCII))
                        .hex()
                        .equals(body.substring(0, 64));
    }

    private static int version(String body) {
        return Integer.parseInt(body.substring(64).split(" ", -1)[1]);
    }

    // swap, swap, ... | requests  ->  every answer whole and of one version, and versions never go back
    @Test
    void aPackSwappedAHundredTimesUnderLoadGivesNoWrongByte() throws Exception {
        publish(0);
        try (TestEdge edge = edge("cache_bytes = \"1MiB\"")) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger answers = new AtomicInteger();
            AtomicInteger wholes = new AtomicInteger();
            AtomicInteger parts = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int t = 0; t < 4; t++) {
                    int seed = t;
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            int last = 0;
                            for (int i = seed; !over.get(); i += 7) {
                                int z = i % 4;
                                int x = i / 4 % (1 << z);
                                int y = i / 9 % (1 << z);
                                RawClient.Answer answer = client.get("/edge/tiles/p/" + z + "/" + x + "/" + y + ".mvt")
                                        .read();
                                assertThat(answer.status()).isEqualTo(200);
                                assertThat(isWhole(answer.body()))
                                        .as(answer.body())
                                        .isTrue();
                                assertThat(answer.body()).contains(" tile " + z + "/" + x + "/" + y + " ");
                                int now = version(answer.body());
                                assertThat(now).isGreaterThanOrEqualTo(last);
                                last = now;
                                answers.incrementAndGet();
                            }
                        }
                    });
                }
                crew.addVirtual(() -> {
                    try (RawClient client = edge.client()) {
                        while (!over.get()) {
                            RawClient.Answer whole =
                                    client.get("/edge/assets/p.pmtiles").read();
                            assertThat(whole.status()).isEqualTo(200);
                            byte[] body = whole.body().getBytes(StandardCharsets.ISO_8859_1);
                            assertThat(Blake3.hash(body))
                                    .isEqualTo(
                                            published.get(whole.header("ETag").orElse("")));
                            wholes.incrementAndGet();
                        }
                    }
                });
                crew.addVirtual(() -> {
                    try (RawClient client = edge.client()) {
                        String tag = "\"none\"";
                        for (int i = 0; !over.get(); i++) {
                            int block = i * 7 % (BULK / BLOCK);
                            RawClient.Answer answer = readBlock(client, block, tag);
                            boolean part = answer.status() == 206;
                            String now = answer.header("ETag").orElse("");
                            assertThat(part).isEqualTo(now.equals(tag));
                            assertThat(Blake3.hash(answer.body().getBytes(StandardCharsets.ISO_8859_1)))
                                    .isEqualTo(
                                            part
                                                    ? blocks.getOrDefault(now, List.of())
                                                            .get(block)
                                                    : published.get(now));
                            parts.addAndGet(part ? 1 : 0);
                            tag = now;
                        }
                    }
                });
                crew.go();
                for (int version = 1; version <= SWAPS; version++) {
                    publish(version);
                    int wanted = version;
                    Eventually.await(
                            "version " + version, () -> version(text(edge.get("/edge/tiles/p/0/0/0.mvt"))) == wanted);
                }
                over.set(true);
                crew.finish();
            }
            assertThat(answers.get()).isGreaterThan(SWAPS);
            assertThat(wholes.get()).isPositive();
            assertThat(parts.get()).isPositive();
            assertThat(edge.metrics()).contains("edge_pack_mounted{pack=\"p\",service=\"edge\"} 1");
        }
    }

    private static RawClient.Answer readBlock(RawClient client, int block, String tag) {
        int first = block * BLOCK;
        return client.send("GET /edge/assets/p.pmtiles HTTP/1.1\r\nHost: x\r\nIf-Range: " + tag + "\r\nRange: bytes="
                        + first + "-" + (first + BLOCK - 1) + "\r\n\r\n")
                .read();
    }

    // a pack is replaced by rename | a request for the whole of it before anyone has looked  ->  the old one, whole
    @Test
    void untilTheNextLookTheWholePackIsTheOldOne() throws Exception {
        publish(1);
        byte[] old = Files.readAllBytes(folder.resolve("packs/p.pmtiles"));
        try (TestEdge edge = new TestEdge(
                "[edge]\npacks_dir = \"%s\"\npacks_interval = \"1h\"\n".formatted(folder.resolve("packs")),
                Optional.empty())) {
            assertThat(version(text(edge.get("/edge/tiles/p/0/0/0.mvt")))).isEqualTo(1);
            publish(2);
            for (int i = 0; i < 2; i++) {
                HttpResponse<byte[]> whole = edge.get("/edge/assets/p.pmtiles");
                assertThat(whole.statusCode()).isEqualTo(200);
                assertThat(whole.body()).isEqualTo(old);
            }
        }
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.US_ASCII);
    }

    @Test
    void aChangedCacheControlIsOnTheNextAnswerOfWhatIsInMemoryToo() throws Exception {
        publish(1);
        Path assets = Files.createDirectories(folder.resolve("assets"));
        Files.writeString(assets.resolve("small.txt"), "small");
        Files.write(assets.resolve("large.bin"), new byte[4 << 20]);
        String toml = "[edge]\npacks_dir = \"%s\"\nassets_dir = \"%s\"\ncache_control = \"%s\"\n";
        try (TestEdge edge = new TestEdge(
                toml.formatted(folder.resolve("packs"), assets, "public, max-age=1000"), Optional.empty())) {
            List<String> paths = List.of(
                    "/edge/tiles/p/0/0/0.mvt",
                    "/edge/assets/p.pmtiles",
                    "/edge/assets/small.txt",
                    "/edge/assets/large.bin");
            paths.forEach(path -> assertThat(cacheControl(edge, path)).contains("max-age=1000"));
            paths.forEach(path -> assertThat(cacheControl(edge, path)).contains("max-age=1000"));
            assertThat(edge.reload(toml.formatted(folder.resolve("packs"), assets, "no-cache")))
                    .isEqualTo(ReloadOutcome.APPLIED);
            paths.forEach(path -> assertThat(cacheControl(edge, path)).as(path).startsWith("no-cache"));
        }
    }

    private static String cacheControl(TestEdge edge, String path) {
        return edge.get(path).headers().firstValue("Cache-Control").orElse("");
    }

    @Test
    void anOverwrittenPackIsTakenOutWithItsCauseAndComesBackWhenReplaced() throws Exception {
        publish(1);
        Path pack = folder.resolve("packs/p.pmtiles");
        try (TestEdge edge = edge("")) {
            assertThat(edge.get("/edge/tiles/p/0/0/0.mvt").statusCode()).isEqualTo(200);
            Files.write(pack, new byte[5000], StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            Eventually.await(
                    "it is out", () -> edge.get("/edge/tiles/p/1/0/0.mvt").statusCode() == 503);
            assertThat(text(edge.get("/edge/tiles/p/2/0/0.mvt"))).contains("\"reason\":\"pack_");
            assertThat(text(edge.get("/edge/catalog"))).contains("\"faults\":[{\"name\":\"p\"");
            assertThat(text(edge.get("/readyz"))).contains("packs_verified");
            assertThat(edge.get("/readyz").statusCode()).isEqualTo(200);
            publish(2);
            Eventually.await(
                    "it is back", () -> edge.get("/edge/tiles/p/1/0/0.mvt").statusCode() == 200);
        }
    }

    // one page of a database is zeros | a request that meets it, then another  ->  the pack is out, with SQLite's code
    @Test
    void aDamagedDatabaseIsTakenOutByWhoMeetsTheDamage() throws Exception {
        Path pack = Files.createDirectories(folder.resolve("packs")).resolve("d.mbtiles");
        TestMbtiles.write(pack, "png", Map.of(new TileCoord(0, 0, 0), new byte[] {1}));
        Files.write(pack, TestMbtiles.withDamagedPage(pack, "tiles"));
        try (TestEdge edge = edge("verify = \"header\"")) {
            assertThat(text(edge.get("/edge/catalog"))).contains("\"faults\":[]");
            for (int i = 0; i < 2; i++) {
                HttpResponse<byte[]> answer = edge.get("/edge/tiles/d/0/0/0.png");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(text(answer)).contains("\"reason\":\"pack_damaged\"", "SQLITE_CORRUPT");
                assertThat(text(edge.get("/edge/catalog"))).contains("\"faults\":[{\"name\":\"d\"");
            }
        }
    }

    @Test
    void aBadFileIsNamedAndTheOthersGoOn() throws Exception {
        publish(1);
        try (TestEdge edge = edge("")) {
            Files.writeString(
                    folder.resolve("packs/bad.pmtiles"),
                    "PMTiles\u0003" + "x".repeat(200),
                    StandardCharsets.ISO_8859_1);
            Files.writeString(folder.resolve("packs/bad2.mbtiles"), "not a database");
            Eventually.await("both are named", () -> {
                String catalogue = text(edge.get("/edge/catalog"));
                return catalogue.contains("\"name\":\"bad\"") && catalogue.contains("\"name\":\"bad2\"");
            });
            assertThat(edge.get("/edge/tiles/bad/0/0/0.mvt").statusCode()).isEqualTo(503);
            assertThat(edge.get("/edge/tiles/p/0/0/0.mvt").statusCode()).isEqualTo(200);
            Files.delete(folder.resolve("packs/bad.pmtiles"));
            Eventually.await(
                    "it is forgotten",
                    () -> edge.get("/edge/tiles/bad/0/0/0.mvt").statusCode() == 404);
        }
    }

    @Test
    void theDoorSpeaksOfTheKeyThatOpensIt() throws Exception {
        publish(1);
        Path packs = folder.resolve("packs");
        try (TestEdge edge = new TestEdge(
                "[edge]\npacks_dir = \"%s\"\n[edge.ingress]\nrps_limit = 1\n".formatted(packs), Optional.empty())) {
            HttpResponse<byte[]> answer = edge.get("/edge/tiles/p/0/0/0.mvt");
            while (answer.statusCode() == 200) {
                answer = edge.get("/edge/tiles/p/0/0/0.mvt");
            }
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .hasValue("*");
            assertThat(text(answer)).contains("edge.ingress.rps_limit", "\"reason\":\"rate_limit\"");
            assertThat(edge.metrics()).contains("edge_rejects_total{reason=\"rate_limit\",service=\"edge\"}");
        }
    }
}
