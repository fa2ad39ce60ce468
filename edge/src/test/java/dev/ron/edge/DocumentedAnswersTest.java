package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.pmtiles.LeafyArchive;
import dev.ron.http.json.StrictJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every route with a body answers ranges and conditions, and docs/reference/openapi/edge.json says so. */
@Timeout(60)
class DocumentedAnswersTest {
    private static final Map<String, String> ASKED = Map.of(
            "/edge/tiles/{pack}/{z}/{x}/{y}", "/edge/tiles/world/" + LeafyArchive.FIRST + ".mvt",
            "/edge/tiles/{pack}", "/edge/tiles/world.json",
            "/edge/tiles/{pack}/metadata", "/edge/tiles/world/metadata",
            "/edge/catalog", "/edge/catalog",
            "/edge/assets/{rest}", "/edge/assets/world.pmtiles",
            "/edge/styles/{rest}", "/edge/styles/dark.json",
            "/edge/sprites/{rest}", "/edge/sprites/map.json",
            "/edge/fonts/{stack}/{range}", "/edge/fonts/Any/0-255.pbf",
            "/edge/", "/edge/",
            "/edge/ui/{file}", "/edge/ui/index.html");

    private static final Map<String, List<String>> FIELDS = Map.of(
            "206", List.of("Range", "bytes=0-0"),
            "304", List.of("If-None-Match", "*"),
            "412", List.of("If-Match", "\"another\""),
            "416", List.of("Range", "bytes=999999999-"));

    @TempDir
    Path folder = Path.of("");

    @Test
    void theDocumentHasWhatIsAnswered() throws Exception {
        JsonNode paths = new StrictJson()
                .tree(Files.readAllBytes(Path.of("../docs/reference/openapi/edge.json")))
                .path("paths");
        for (String kind : List.of("styles/dark.json", "sprites/map.json")) {
            Path file = folder.resolve(kind);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{\"some\":\"bytes\"}");
        }
        LeafyArchive.write(folder.resolve("world.pmtiles"));
        try (TestEdge edge =
                new TestEdge("[edge]\npacks_dir = \"%s\"\nverify = \"header\"\n".formatted(folder), Optional.empty())) {
            ASKED.forEach((path, url) -> FIELDS.forEach((status, fields) -> {
                int answered =
                        edge.get(url, fields.getFirst(), fields.getLast()).statusCode();
                assertThat(answered).as(url + " with " + fields).isEqualTo(Integer.parseInt(status));
                assertThat(paths.path(path).path("get").path("responses").has(status))
                        .as(path + " " + status)
                        .isTrue();
            }));
        }
        paths.properties().forEach(path -> {
            boolean whole = path.getValue().path("get").path("responses").has("206");
            // objects of the store come by way of a fill, and are asked for there
            assertThat(whole && !path.getKey().startsWith("/cas/"))
                    .as(path.getKey())
                    .isEqualTo(ASKED.containsKey(path.getKey()));
        });
    }
}
