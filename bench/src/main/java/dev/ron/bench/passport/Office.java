package dev.ron.bench.passport;

import dev.ron.bench.side.Java;
import dev.ron.bench.side.Server;
import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A real node that runs only the passport office, durable, on one core, with one client. */
final class Office implements AutoCloseable {
    static final String ORDER = "{\"subject_ref\":\"bench\",\"audience\":\"svc-demo\",\"ttl_s\":600,"
            + "\"caveats\":[\"path=/demo/\",\"method=GET\"]}";

    private final Server node;
    private final int portBase;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String key;

    private Office(Server node, int portBase, Path data) throws IOException, InterruptedException {
        this.node = node;
        this.portBase = portBase;
        String operator = Files.readString(data.resolve("operator.token")).strip();
        String client = "{\"id\":\"bench\",\"tenants\":[\"acme\"],\"rights\":[\"issue\",\"verify\",\"revoke\"]}";
        this.key = send(operator, "http://127.0.0.1:" + (portBase + 5) + "/api/v1/passport/clients", client)
                .path("key")
                .asString();
    }

    static Office start(int core, int portBase, Path work) throws IOException, InterruptedException {
        Path data = work.resolve("data");
        Path secret = Files.createFile(
                work.resolve("passphrase"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "only for this bench");
        Path config = Files.writeString(work.resolve("ron.toml"), """
                [node]
                port_base = %d
                data = "%s"
                services = ["passport"]
                [node.log]
                level = "warn"
                [passport.kms]
                passphrase_file = "%s"
                """.formatted(portBase, data, secret));
        Server node = Server.start("ron", core, portBase + 2, work.resolve("ron.log"), command(config));
        try {
            return new Office(node, portBase, data);
        } catch (IOException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static List<String> command(Path config) {
        List<String> command = new ArrayList<>(Java.command("-XX:ActiveProcessorCount=1"));
        command.addAll(List.of("dev.ron.node.Main", "up", "--services", "passport", "--config", config.toString()));
        return command;
    }

    String url(String path) {
        return "http://127.0.0.1:" + (portBase + 2) + path;
    }

    String key() {
        return key;
    }

    /** Processor time it has used so far. */
    Duration cpu() {
        return ProcessHandle.of(node.pid())
                .orElseThrow()
                .info()
                .totalCpuDuration()
                .orElseThrow();
    }

    JsonNode post(String path, String body) throws IOException, InterruptedException {
        return send(key, url(path), body);
    }

    private JsonNode send(String credential, String url, String body) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + credential)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        JsonNode answer = new StrictJson().tree(response.body());
        if (response.statusCode() != 200) {
            throw new IOException(url + " answers " + response.statusCode() + ": " + answer);
        }
        return answer;
    }

    @Override
    public void close() {
        http.close();
        node.close();
    }
}
