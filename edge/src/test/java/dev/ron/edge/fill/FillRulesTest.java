package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.testing.TestCa;
import dev.ron.service.reload.ReloadOutcome;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration says of routes, hosts and tags is what is done. */
@Timeout(120)
class FillRulesTest {
    private static final String ALWAYS_OLD = "default_ttl_secs = 0\nmin_ttl_secs = 0\n";

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin, String fill) {
        return FillEdge.start(origin, ca, folder.resolve("data"), "timeout_secs = 60", fill);
    }

    private static void answers(TestEdge edge, String path, String status) {
        HttpResponse<byte[]> answer = edge.get("/edge/assets/" + path);
        String reason =
                answer.statusCode() == 200 ? "" : text(answer).replaceAll("(?s).*\"reason\":\"([a-z_]+)\".*", " $1");
        assertThat(answer.statusCode() + reason).as(path).isEqualTo(status);
    }

    // one origin behind six routes, five of them with an option of their own  ->  each counts for its route
    @Test
    void aRoutesOptionsAreForThatRoute() throws Exception {
        TestCa ca = ca();
        String[] options = {
            "ttl_secs = 900",
            "content_types = [\"text/css\", \"image/png\"]",
            "max_bytes = \"1KiB\"",
            "etag = \"ignore\"",
            "cache_control = \"public, max-age=5\"",
        };
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
            String name = head.split(" ", -1)[1];
            String tag = name.endsWith("weak") ? "W/\"v1\"" : "\"v1\"";
            String type = name.endsWith("png") ? "image/png" : "text/plain";
            out.write(Origin.ok("x".repeat(name.endsWith("large") ? 2000 : 10), "ETag", tag, "Content-Type", type));
        })) {
            StringBuilder routes = new StringBuilder(ALWAYS_OLD);
            for (int i = 0; i < options.length; i++) {
                routes.append("[edge.routes.r%1$d]\nprefix = \"r%1$d/\"\nbase = \"https://%2$s:%3$d/r%1$d/\"\n%4$s\n"
                        .formatted(i, HOST, origin.port(), options[i]));
            }
            try (TestEdge edge = edge(ca, origin, routes.toString())) {
                for (String route : List.of("o/", "r0/", "r1/", "r2/", "r3/", "r4/")) {
                    answers(edge, route + "a.png", "200");
                    answers(edge, route + "a.txt", route.equals("r1/") ? "502 upstream" : "200");
                    answers(edge, route + "large", route.startsWith("r1") ? "502 upstream" : tooLargeFor(route));
                    answers(edge, route + "weak", route.equals("r3/") ? "200" : "502 etag_invalid");
                    HttpResponse<byte[]> again = edge.get("/edge/assets/" + route + "a.png");
                    assertThat(header(again, "Cache-Status").equals("edge; hit"))
                            .as(route)
                            .isEqualTo(route.equals("r0/"));
                    assertThat(header(again, "Cache-Control").equals("public, max-age=5"))
                            .as(route)
                            .isEqualTo(route.equals("r4/"));
                }
            }
        }
    }

    private static String tooLargeFor(String route) {
        return route.equals("r2/") ? "502 too_large" : "200";
    }

    // edge.allow loses a host | a reload  ->  what is here goes on being served, nothing more is fetched from there
    @Test
    void aHostThatIsNoLongerAllowedIsNotFetchedFromWithoutARestart() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(ca, origin, "")) {
            String allowed = FillEdge.toml(origin, ca, "", "timeout_secs = 60", "");
            String without = allowed.replaceFirst("allow = \\[[^]]*]", "allow = [\"elsewhere.test\"]");
            answers(edge, "o/a", "200");
            assertThat(edge.reload(without)).isEqualTo(ReloadOutcome.APPLIED);
            answers(edge, "o/a", "200");
            answers(edge, "o/b", "403 not_allowed");
            assertThat(origin.requests()).isEqualTo(1);
            assertThat(edge.reload(allowed)).isEqualTo(ReloadOutcome.APPLIED);
            answers(edge, "o/b", "200");
        }
    }

    // three rules for tags | none, a strong one, a weak one, and what is no tag  ->  taken or refused as the rule says,
    // and asked about only by a strong one
    @Test
    void aTagIsTakenAsTheRuleSays() throws Exception {
        TestCa ca = ca();
        List<String> malformed = List.of(
                "v1",
                "\"v1",
                "v1\"",
                "'v1'",
                "w/\"v1\"",
                "W/v1",
                "\"a\"b\"",
                "\"a\", \"b\"",
                "\"a b\"",
                "\"" + "x".repeat(257) + "\"");
        List<String> strong = List.of("\"v1\"", "\"\"", "\"!#\u00e9~\"", "\"" + "x".repeat(256) + "\"");
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
            String name = head.split(" ", -1)[1].substring(1);
            char kind = name.charAt(0);
            int which = Integer.parseInt(name.substring(1));
            String tag = switch (kind) {
                case 'm' -> "ETag: " + malformed.get(which) + "\r\n";
                case 's' -> "ETag: " + strong.get(which) + "\r\n";
                case 'w' -> "ETag: W/\"v1\"\r\n";
                default -> "";
            };
            out.write(
                    ("HTTP/1.1 200 OK\r\n" + tag + "Content-Length: 1\r\n\r\nx").getBytes(StandardCharsets.ISO_8859_1));
        })) {
            for (String rule : List.of("required", "if_present", "ignore")) {
                boolean ignored = rule.equals("ignore");
                String refused = "502 etag_invalid";
                try (TestEdge edge = FillEdge.start(
                        origin,
                        ca,
                        folder.resolve(rule),
                        "timeout_secs = 60",
                        ALWAYS_OLD + "etag = \"" + rule + "\"")) {
                    for (int i = 0; i < malformed.size(); i++) {
                        answers(edge, "o/m" + i, ignored ? "200" : refused);
                    }
                    for (int i = 0; i < strong.size(); i++) {
                        answers(edge, "o/s" + i, "200");
                        answers(edge, "o/s" + i, "200");
                        assertThat(origin.heads().getLast()).contains("\r\nIf-None-Match: " + strong.get(i) + "\r\n");
                    }
                    for (String name : List.of("w0", "n0")) {
                        answers(edge, "o/" + name, rule.equals("required") ? refused : "200");
                        answers(edge, "o/" + name, rule.equals("required") ? refused : "200");
                        assertThat(origin.heads().getLast()).doesNotContain("If-None-Match");
                    }
                }
            }
        }
    }

    @Test
    void theStoreIsReachedUnderBothNamesOfItsDigest() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(ca, origin, "")) {
            answers(edge, "o/a", "200");
            String hex = Blake3.hash("one".getBytes(StandardCharsets.UTF_8)).hex();
            HttpResponse<byte[]> byName = edge.get("/cas/b3/" + hex);
            HttpResponse<byte[]> byAlias = edge.get("/cas/blake3/" + hex);
            assertThat(text(byAlias)).isEqualTo("one").isEqualTo(text(byName));
            assertThat(header(byAlias, "ETag")).isEqualTo(header(byName, "ETag"));
            assertThat(edge.get("/cas/sha256/" + hex).statusCode()).isEqualTo(404);
        }
    }
}
