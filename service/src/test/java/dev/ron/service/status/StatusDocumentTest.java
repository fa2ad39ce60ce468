package dev.ron.service.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StatusDocumentTest {
    private static final StatusView.Identity GATEWAY =
            new StatusView.Identity("svc-gateway", "gateway", "1.4.0", "01J0", false);

    @Test
    void documentIsTheContract() {
        assertThat(text(StatusDocument.body(view(Map.of("degraded", false)))))
                .isEqualTo("{\"profile\":\"gateway\",\"version\":\"1.4.0\",\"uptime_seconds\":86400,\"ready\":true,"
                        + "\"capabilities\":[\"admin_api_v1\",\"reload\",\"shutdown\"],"
                        + "\"planes\":[{\"name\":\"gateway\",\"health\":\"healthy\",\"ready\":true,\"restart_count\":0},"
                        + "{\"name\":\"gateway.scheduler\",\"health\":\"degraded\",\"ready\":true,\"restart_count\":0,"
                        + "\"notes\":\"slow\"}],"
                        + "\"http_addr\":\"127.0.0.1:8080\",\"metrics_addr\":\"127.0.0.1:8085\","
                        + "\"listeners\":{\"gateway\":\"https://127.0.0.1:8080\"},\"log_level\":\"info\","
                        + "\"deps\":{\"config\":\"loaded\"},\"services\":{\"svc-gateway\":\"ok\"},\"phase\":\"running\","
                        + "\"config\":{\"version\":7,\"hash\":\"ab\",\"loaded_at\":\"2026-01-01T00:00:00Z\"},"
                        + "\"amnesia\":false,\"tasks\":[{\"name\":\"worker-1\",\"state\":\"running\",\"restarts\":2}],"
                        + "\"schema\":\"ron-status/1\",\"service\":\"svc-gateway\",\"instance_id\":\"01J0\","
                        + "\"queues\":[{\"name\":\"work\",\"depth\":3,\"capacity\":512,\"dropped_total\":0}],"
                        + "\"service_data\":{\"degraded\":false}}");
    }

    @Test
    void longListsAreCutToWhatTheReaderTakes() {
        JsonNode doc = read(view(Map.of("drr", Map.of("tenants", Collections.nCopies(500, "t")))));
        assertThat(doc.at("/service_data/drr/tenants").size()).isEqualTo(50);
    }

    @Test
    void anOversizedDocumentLosesItsDetailsNotItsTruth() {
        JsonNode doc = read(view(Map.of("note", "x".repeat(300 << 10))));
        assertThat(doc.at("/ready").asBoolean()).isTrue();
        assertThat(doc.at("/service_data/truncated").asString()).contains("262144");
    }

    @Test
    void versionNamesTheBuild() {
        BuildInfo build = BuildInfo.load();
        assertThat(build.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(text(VersionDocument.body(GATEWAY, build, List.of("drr"), "off")))
                .startsWith("{\"service\":\"svc-gateway\",\"version\":\"" + build.version() + "\",\"git_sha\":\"")
                .contains(
                        "\"api\":{\"http\":\"v1\"},\"profile\":\"gateway\",\"features\":[\"drr\"],\"amnesia\":false,\"pq_mode\":\"off\"}");
    }

    private static StatusView view(Map<String, Object> data) {
        return new StatusView(
                GATEWAY,
                86_400,
                true,
                List.of("admin_api_v1", "reload", "shutdown"),
                List.of(Plane.healthy("gateway"), Plane.of("gateway.scheduler", Health.DEGRADED, "slow")),
                new TreeMap<>(Map.of("http_addr", "127.0.0.1:8080", "metrics_addr", "127.0.0.1:8085")),
                Map.of("gateway", "https://127.0.0.1:8080"),
                "info",
                Map.of("config", "loaded"),
                Map.of("svc-gateway", "ok"),
                "running",
                new StatusView.ConfigState(7, "ab", Instant.parse("2026-01-01T00:00:00Z")),
                List.of(new StatusView.TaskLine("worker-1", "running", 2)),
                List.of(new StatusView.QueueLine("work", 3, 512, 0)),
                data);
    }

    private static JsonNode read(StatusView view) {
        return JsonMapper.shared().readTree(StatusDocument.body(view));
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
