package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.AuditLines;
import dev.ron.edge.TestEdge;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.service.ops.OperatorGuard;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was brought, refused and purged is on record. */
@Timeout(120)
class FillAuditTest {
    private static final byte[] NONE =
            "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    @Test
    void aFetchAndARefusalAreEachALine() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(
                        ca, HOST, (head, out) -> out.write(head.contains("/none") ? NONE : Origin.ok("one")));
                TestEdge edge = FillEdge.start(origin, ca, folder.resolve("data"), "", "");
                AuditLines audit = new AuditLines()) {
            edge.get("/edge/assets/o/a");
            edge.get("/edge/assets/o/none");
            edge.get("/edge/assets/o/a"); // a hit is nobody's business
            String base = "https://" + HOST + ":" + origin.port() + "/";
            String digest = Blake3.hash("one".getBytes(StandardCharsets.UTF_8)).hex();
            Eventually.await("both lines", () -> audit.lines().size() == 2);
            assertThat(audit.lines())
                    .containsExactly(
                            "fill " + base + "a brought 3 bytes, b3 " + digest,
                            "fill " + base + "none refused, not_found: the origin has no " + base + "none");
        }
    }

    private static String purge(TestHost ops, String credential, String body) {
        try (RawClient client = ops.client()) {
            RawClient.Answer answer = client.send("POST /api/v1/edge/purge HTTP/1.1\r\nHost: localhost\r\n" + credential
                            + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .read();
            return answer.status() + " " + answer.body();
        }
    }

    @Test
    void aPurgeIsTheOperatorsAndForgetsWhatItNames() throws Exception {
        TestCa ca = ca();
        String operator = "Authorization: Bearer secret\r\n";
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = FillEdge.start(origin, ca, folder.resolve("data"), "", "");
                TestHost ops = TestHost.with(routes -> PurgeEndpoint.addTo(
                        routes, new OperatorGuard(Set.of(), "secret"::equals), edge.service()::index));
                AuditLines audit = new AuditLines()) {
            String base = "https://" + HOST + ":" + origin.port() + "/";
            String named = "{\"prefix\":\"" + base + "a\"}";
            for (String name : new String[] {"a", "a/b", "c"}) {
                edge.get("/edge/assets/o/" + name);
            }
            Eventually.await("all brought", () -> audit.lines().size() == 3);
            assertThat(purge(ops, "", named)).startsWith("401 ");
            assertThat(purge(ops, "Authorization: Bearer other\r\n", named)).startsWith("401 ");
            for (String prefix : new String[] {"", "https:/", "http://" + HOST + "/", HOST}) {
                assertThat(purge(ops, operator, "{\"prefix\":\"" + prefix + "\"}"))
                        .as(prefix)
                        .startsWith("400 ");
            }
            assertThat(audit.lines()).hasSize(3);
            assertThat(purge(ops, operator, named)).isEqualTo("200 {\"forgotten\":2}");
            assertThat(audit.lines().getLast()).isEqualTo("purged 2 objects under " + base + "a");
            assertThat(header(edge.get("/edge/assets/o/c"), "Cache-Status")).isEqualTo("edge; hit");
            assertThat(header(edge.get("/edge/assets/o/a"), "Cache-Status")).isEqualTo("edge; fwd=miss; stored");
            assertThat(origin.requests()).isEqualTo(4);
        }
    }
}
