package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.TestCa;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an origin calls its objects decides whether they could act in our name. */
@Timeout(60)
class ActiveContentTest {
    private static final List<String> ACTIVE = List.of(
            "Text/HTML",
            "TEXT/HTML;charset=utf-8",
            "application/rss+xml",
            "image/SVG+xml",
            "image/x+xml",
            "application/xhtml+xml ; a=b",
            "text/xsl",
            "multipart/x-mixed-replace",
            "application/unheard-of");

    private static final List<String> INERT = List.of(
            "Image/PNG",
            "application/json",
            "application/geo+json; charset=utf-8",
            "font/woff2",
            "text/css",
            "text/javascript;charset=utf-8",
            "application/x-protobuf",
            "application/vnd.mapbox-vector-tile",
            "application/octet-stream");

    @TempDir
    Path folder;

    @Test
    void whateverIsNotKnownToBeInertIsInASandbox() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    String[] place = head.substring("GET /".length(), head.indexOf(" HTTP/"))
                            .split("/", -1);
                    String type = (place[0].equals("active") ? ACTIVE : INERT).get(Integer.parseInt(place[1]));
                    out.write(Origin.ok("<script>", "Content-Type", type));
                });
                TestEdge edge = FillEdge.start(origin, ca, folder.resolve("data"), "", "")) {
            for (int i = 0; i < ACTIVE.size(); i++) {
                for (int again = 0; again < 2; again++) {
                    HttpResponse<byte[]> answer = edge.get("/edge/assets/o/active/" + i);
                    assertThat(text(answer)).isEqualTo("<script>");
                    assertThat(header(answer, "Content-Security-Policy"))
                            .as(ACTIVE.get(i))
                            .isEqualTo("sandbox; default-src 'none'");
                }
            }
            for (int i = 0; i < INERT.size(); i++) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/inert/" + i);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(header(answer, "Content-Security-Policy"))
                        .as(INERT.get(i))
                        .isEmpty();
                assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            }
        }
    }
}
