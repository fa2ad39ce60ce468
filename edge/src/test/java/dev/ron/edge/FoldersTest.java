package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders of files beside packs: there from the start, or later. */
@Timeout(60)
class FoldersTest {
    private static final Map<String, String> FILES = Map.of(
            "/edge/styles/dark.json", "packs/styles/dark.json",
            "/edge/sprites/map@2x.png", "packs/sprites/map@2x.png",
            "/edge/sprites/map.json", "packs/sprites/map.json",
            "/edge/fonts/Own%20Sans,Other/0-255.pbf", "packs/fonts/Own Sans/0-255.pbf",
            "/edge/assets/sub/a.txt", "assets/sub/a.txt");

    @TempDir
    Path folder;

    @Test
    void whatIsPutIntoAFolderIsServedAlsoWhenTheFolderComesLate() throws Exception {
        try (TestEdge edge = new TestEdge(
                """
                [edge]
                packs_dir = "%s"
                assets_dir = "%s"
                [edge.ingress]
                rps_limit = 1000000
                """.formatted(folder.resolve("packs"), folder.resolve("assets")),
                Optional.of(folder.resolve("data")))) {
            Eventually.await("both are named in the log", () -> {
                String logged = edge.logged();
                return logged.contains("edge.packs_dir is " + folder.resolve("packs"))
                        && logged.contains("edge.assets_dir is " + folder.resolve("assets"));
            });
            for (String url : FILES.keySet()) {
                HttpResponse<byte[]> before = edge.get(url);
                boolean bundled = url.contains("/fonts/"); // every font falls back to the bundled glyphs
                assertThat(before.statusCode()).as(url).isEqualTo(bundled ? 200 : 404);
            }
            for (String file : FILES.values()) {
                Path path = folder.resolve(file);
                Files.createDirectories(path.getParent());
                Files.writeString(path, "the bytes of " + file);
            }
            FILES.forEach((url, file) -> Eventually.await(
                    "within a second it is looked for again",
                    () -> new String(edge.get(url).body(), StandardCharsets.UTF_8).equals("the bytes of " + file)));
            assertThat(edge.get("/edge/sprites/map@2x.png").headers().firstValue("Content-Type"))
                    .hasValue("image/png");
            assertThat(edge.get("/edge/sprites/../secret").statusCode()).isIn(400, 404);
        }
    }
}
