package dev.ron.admin;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole console behind a real listener, for tests. */
public final class ConsoleProcess implements AutoCloseable {
    private final AtomicReference<Sources> sources = new AtomicReference<>(Sources.none());
    private final EventLoops loops = new EventLoops("test", 1);
    private final EventLoops calls = new EventLoops("calls", 1);
    private final Frame frame;
    private final AdminService service;
    private final HttpClient client = HttpClient.newHttpClient();
    final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /** An answer as a test looks at it. */
    public record Answer(int status, JsonNode body, HttpResponse<String> raw) {
        public String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }
    }

    public ConsoleProcess(Optional<Path> data, Optional<IssuerSource> issuer, String... settings) throws Exception {
        for (String set : settings) {
            sources.updateAndGet(s -> s.withSet(set));
        }
        Logs logs = Logs.install(LogFormat.JSON, "info", log);
        ConfigResult loaded = load();
        if (!(loaded instanceof ConfigResult.Loaded(Config config))) {
            throw new AssertionError(loaded.toString());
        }
        frame = Frame.open(FrameSettings.defaults(), Clock.system(), config, this::load, logs);
        service = new AdminService(
                loops,
                calls,
                new Setup(
                        "127.0.0.1",
                        0,
                        data,
                        Optional.empty(),
                        Secret.of("operator"),
                        () -> issuer,
                        "--key SIGNER.key",
                        () -> frame().reloader().request("console")));
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    public static ConsoleProcess with(String... settings) throws Exception {
        return new ConsoleProcess(Optional.empty(), Optional.empty(), settings);
    }

    private ConfigResult load() {
        return ConfigLoader.load(List.of(Section.of("admin", AdminConfig.class)), sources.get());
    }

    public String reload(String... settings) {
        for (String set : settings) {
            sources.updateAndGet(s -> s.withSet(set));
        }
        return frame.reloader()
                .request("test")
                .await(Deadline.after(frame.clock(), Duration.ofSeconds(30)))
                .outcome()
                .word();
    }

    public Frame frame() {
        return frame;
    }

    public int port() {
        return service.port();
    }

    public Answer get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    public Answer send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String type = response.headers().firstValue("content-type").orElse("");
            JsonNode json = type.contains("json") && !response.body().isEmpty()
                    ? JsonMapper.shared().readTree(response.body())
                    : JsonMapper.shared().nullNode();
            return new Answer(response.statusCode(), json, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a page of the console sends with an unsafe request, and who says so. */
    public String[] ownPage(String... identity) {
        String csrf = get("/api/me", identity).body().path("csrfToken").asString("");
        String[] all = java.util.Arrays.copyOf(identity, identity.length + 8);
        List<String> more = List.of(
                "Origin",
                "http://127.0.0.1:" + port(),
                "Content-Type",
                "application/json",
                "X-Csrf-Token",
                csrf,
                "Idempotency-Key",
                java.util.UUID.randomUUID().toString());
        for (int i = 0; i < more.size(); i++) {
            all[identity.length + i] = more.get(i);
        }
        return all;
    }

    public long count(String family, Map<String, String> labels) {
        return frame.metrics().scrape("").body().length == 0 ? 0 : sum(family, labels);
    }

    private long sum(String family, Map<String, String> labels) {
        String page = new String(frame.metrics().scrape("").body(), java.nio.charset.StandardCharsets.UTF_8);
        return page.lines()
                .filter(line -> line.startsWith(family + "{") || line.startsWith(family + " "))
                .filter(line -> labels.entrySet().stream()
                        .allMatch(label -> line.contains(label.getKey() + "=\"" + label.getValue() + "\"")))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() {
        frame.shutdown().request("test", "over");
        frame.shutdown().awaitStopped(Deadline.after(frame.clock(), Duration.ofSeconds(30)));
        client.close();
        loops.close();
        calls.close();
    }
}
