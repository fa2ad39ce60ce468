package dev.ron.bench.fairness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a node what its tenants have used. */
final class Ops {
    private Ops() {}

    static Map<String, Long> usedMicros(int port, String upstream) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/admin/tenants"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            Map<String, Long> used = new HashMap<>();
            for (JsonNode tenant : JsonMapper.shared().readTree(answer.body()).path("tenants")) {
                if (tenant.path("upstream").asString("").equals(upstream)) {
                    used.put(
                            tenant.path("id").asString(""),
                            tenant.path("used_us").asLong(0));
                }
            }
            return used;
        }
    }
}
