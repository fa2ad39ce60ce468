package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ron.admin.panel.ServicePanels;
import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The console of a real node, with real services behind it: what they send is what it shows. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ConsoleShowsNodeTest {
    @TempDir
    Path folder;

    private List<String> missing = List.of();
    private HttpServer shop;
    private NodeProcess node;

    @BeforeEach
    void start() throws IOException {
        shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        shop.start();
        Files.writeString(
                folder.resolve("ron.toml"), """
                [gateway.upstreams.shop]
                targets = [{ url = "http://127.0.0.1:%d" }]
                health = { path = "/", interval = "200ms" }
                [admin.polling]
                metrics_interval = "500ms"
                status_interval = "1s"
                """.formatted(shop.getAddress().getPort()));
        node = NodeProcess.up(folder, "--demo");
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
        shop.stop(0);
    }

    @Test
    void everyPanelShowsWhatItsServiceSends() {
        String token = node.demoToken();
        await(() -> {
            node.get("gateway", "/demo/echo", token);
            node.get("gateway", "/demo/slow", token);
            node.get("edge", "/edge/tiles/world/0/0/0.mvt");
            node.exchange(
                    "passport",
                    "POST /v1/passport/issue HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
            missing = missing(panels());
            return missing.isEmpty();
        });
        String metrics = node.get("ops", "/metrics");
        // A metric that has a new name in its service is missed here by its old one.
        assertThat(ServicePanels.metrics()).allMatch(name -> metrics.contains("# TYPE " + name + " "), "is sent");

        JsonNode registry = panels().path("registry");
        assertThat(registry.path("pending").get(0).path("quorum").asInt()).isEqualTo(2);
        assertThat(registry.path("pending").get(0).path("approveCommand").asString())
                .startsWith("./ron registry approve p_")
                .contains(" --key ", "ann.key", " --url " + node.url("ops"))
                .doesNotContain("--port-base");
        assertThat(registry.path("headHash").asString()).startsWith("b3:");
        List<String> facets = new ArrayList<>();
        json("/api/nodes/self/metrics/facets")
                .path("facets")
                .forEach(facet -> facets.add(facet.path("service").asString() + " "
                        + facet.path("facet").asString()));
        assertThat(facets).contains("gateway demo", "edge /edge/tiles/{pack}/{z}/{x}/{y}");
        List<String> planes = new ArrayList<>();
        json("/api/nodes/self/status?cached=1")
                .path("planes")
                .forEach(plane -> planes.add(plane.path("name").asString()));
        assertThat(planes).contains("gateway", "edge", "passport", "registry", "admin");
    }

    @Test
    void anUpstreamThatDiesTurnsNodeAndGatewayAmberWithTheCauseInWords() {
        Eventually.await(
                "the node is green", () -> row().path("state").asString().equals("ready"));
        shop.stop(0);
        Eventually.await(
                "the node is amber", () -> row().path("state").asString().equals("degraded"));
        assertThat(row().path("tone").asString()).isEqualTo("warn");
        assertThat(row().path("causes").get(0).path("text").asString()).isEqualTo("no target of upstream shop answers");
        JsonNode detail = json("/api/nodes/self/status?cached=1");
        detail.path("planes").forEach(plane -> {
            boolean gateway = plane.path("name").asString().equals("gateway");
            assertThat(plane.path("health").asString())
                    .as(plane.path("name").asString())
                    .isEqualTo(gateway ? "degraded" : "ok");
        });
    }

    private void await(BooleanSupplier filled) {
        try {
            Eventually.await(filled);
        } catch (AssertionError e) {
            throw new AssertionError("not shown: " + missing, e);
        }
    }

    /** What a panel of a busy node must know, and does not. */
    private static List<String> missing(JsonNode panels) {
        List<String> missing = new ArrayList<>();
        for (String path : List.of(
                "gateway.degraded",
                "gateway.contended",
                "gateway.shareError",
                "gateway.tenants.0.servedPerSec",
                "gateway.tenants.0.share",
                "gateway.tenants.0.quantum",
                "gateway.tenants.0.depth",
                "gateway.upstreams.0.targets.0.healthy",
                "edge.hitRatio",
                "edge.hitsPerSec",
                "edge.missesPerSec",
                "edge.bytesOutPerSec",
                "edge.casBytes",
                "edge.packs.0.size",
                "edge.packs.0.verified",
                "passport.issuedPerSec",
                "passport.verifiedPerSec",
                "passport.revokedPerSec",
                "passport.issueP95Ms",
                "passport.epoch",
                "passport.revocations",
                "passport.kmsOk",
                "passport.kmsBreaker",
                "passport.keys.0",
                "passport.policyVersion",
                "passport.rejects.0.perSec",
                "registry.headVersion",
                "registry.headHash",
                "registry.commitsPerSec",
                "registry.checkpointAgeSeconds",
                "registry.verifyOk",
                "registry.pendingCount",
                "registry.pending.0.approvals")) {
            JsonNode at = panels;
            for (String step : path.split("\\.", -1)) {
                at = step.matches("\\d+") ? at.path(Integer.parseInt(step)) : at.path(step);
            }
            if (at.isMissingNode() || at.isNull()) {
                missing.add(path);
            }
        }
        return missing;
    }

    private JsonNode panels() {
        return json("/api/nodes/self/panels");
    }

    private JsonNode row() {
        return json("/api/nodes").path("nodes").path(0);
    }

    private JsonNode json(String path) {
        String answer = node.get("admin", path);
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        // A body may come in pieces; the document is what is between the first brace and the last.
        String document = body.substring(body.indexOf('{'), body.lastIndexOf('}') + 1);
        return new StrictJson()
                .tree(document.replaceAll("\r\n[0-9a-f]+\r\n", "").getBytes(StandardCharsets.UTF_8));
    }
}
