package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.pmtiles.LeafyArchive;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator is told of an edge: its packs, its store, its fills, and a pack that turned out to be bad. */
@Timeout(60)
class EdgeStatusTest {
    @TempDir
    Path folder = Path.of("");

    private Path packs = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        packs = Files.createDirectories(folder.resolve("packs"));
    }

    private TestEdge edge() {
        return new TestEdge("""
                [edge]
                packs_dir = "%s"
                packs_interval = "20ms"
                verify = "full"
                allow = ["origin.test"]
                [edge.routes.o]
                prefix = "o/"
                base = "https://origin.test/"
                [edge.cas]
                max_bytes = "1GiB"
                """.formatted(packs), Optional.of(folder.resolve("data")));
    }

    private static Map<?, ?> part(TestEdge edge, String name) {
        return (Map<?, ?>) edge.service().statusData().getOrDefault(name, Map.of());
    }

    private static long counted(TestEdge edge, String family) {
        return Pattern.compile("(?m)^" + family + "\\{.*} ([0-9]+)")
                .matcher(edge.metrics())
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    @Test
    void theStatusHasWhatTheConsoleReads() throws IOException {
        Path world = packs.resolve("world.pmtiles");
        LeafyArchive.write(world);
        try (TestEdge edge = edge()) {
            Map<String, Object> known = Map.of(
                    "name",
                    "world",
                    "kind",
                    "pmtiles",
                    "size",
                    Files.size(world),
                    "verified",
                    true,
                    "b3",
                    Blake3.hash(Files.readAllBytes(world)).hex(),
                    "tiles",
                    (long) LeafyArchive.TILES);
            Eventually.await(
                    "the pack",
                    () -> List.of(known).equals(edge.service().statusData().get("packs")));
            edge.get("/edge/tiles/world/" + LeafyArchive.FIRST + ".mvt");
            edge.get("/edge/tiles/world/" + LeafyArchive.FIRST + ".mvt");
            // A hit is counted once it is on its way: its caller may be quicker.
            Eventually.await("both are counted", () -> counted(edge, "edge_cache_hits_total") == 2);
            assertThat(part(edge, "cache").get("hits_total")).isEqualTo(2L);
            assertThat(part(edge, "cache").get("misses_total")).isEqualTo(0L);
            assertThat(part(edge, "ram").get("objects")).isEqualTo(1L);
            assertThat(part(edge, "cas")).isEqualTo(Map.of("bytes", 0L, "max_bytes", 1L << 30, "blobs", 0L));
            assertThat(part(edge, "fill").get("inflight")).isEqualTo(0);
            assertThat(part(edge, "fill").get("hosts"))
                    .isEqualTo(List.of(Map.of("host", "origin.test", "attempts_total", 0L, "success_total", 0L)));
            assertThat(edge.metrics()).contains("edge_pack_verify_seconds_count{service=\"edge\"} 1");
        }
    }

    // a pack that is good | one with a bad leaf by rename over it | a good one again  ->  each is told, everywhere
    @Test
    void aPackWithABadLeafIsNamedWithItsCauseUntilItIsReplaced() throws IOException {
        Path world = packs.resolve("world.pmtiles");
        LeafyArchive.write(world);
        String tile = "/edge/tiles/world/" + LeafyArchive.FIRST + ".mvt";
        try (TestEdge edge = edge()) {
            Eventually.await("served", () -> edge.get(tile).statusCode() == 200);
            assertThat(edge.get("/readyz/write").statusCode()).isEqualTo(200);
            LeafyArchive.writeSpoiled(folder.resolve("next"));
            Files.move(folder.resolve("next"), world, StandardCopyOption.ATOMIC_MOVE);
            Eventually.await(
                    "out of the catalogue",
                    () -> text(edge.get("/edge/catalog"))
                            .contains("\"faults\":[{\"name\":\"world\",\"reason\":\"pack_bad_directory\""));
            HttpResponse<byte[]> refused = edge.get(tile);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(text(refused)).contains("\"reason\":\"pack_bad_directory\"");
            Eventually.await("degraded", () -> edge.get("/readyz/write").statusCode() == 503);
            assertThat(edge.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(text(edge.get("/readyz"))).contains("\"degraded\":true", "packs_verified");
            LeafyArchive.write(folder.resolve("next"));
            Files.move(folder.resolve("next"), world, StandardCopyOption.ATOMIC_MOVE);
            Eventually.await("served again", () -> edge.get(tile).statusCode() == 200);
            Eventually.await("ready", () -> edge.get("/readyz/write").statusCode() == 200);
        }
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
