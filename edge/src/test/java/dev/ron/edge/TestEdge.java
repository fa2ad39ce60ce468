package dev.ron.edge;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.RawClient;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.service.reload.ReloadOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A whole edge on a free port, from the text of a configuration; files under a folder, or nothing written at all. */
public final class TestEdge implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventLoops loops = new EventLoops("edge-test", 2);
    private final HttpClient http = HttpClient.newHttpClient();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final AtomicReference<Config> configured = new AtomicReference<>();
    private final Frame frame;
    private final EdgeService service;

    public TestEdge(String toml, Optional<Path> folder) {
        this(toml, Setup.of("127.0.0.1", 0, folder), Backoff.Policy.DEFAULT);
    }

    public TestEdge(String toml, Setup setup, Backoff.Policy restarts) {
        Config config = load(toml);
        configured.set(config);
        FrameSettings settings = new FrameSettings(
                "macro",
                setup.folder().isEmpty(),
                restarts,
                c -> PATIENCE,
                c -> Duration.ZERO,
                c -> "warn",
                Optional.empty());
        frame = Frame.open(
                settings,
                Clock.system(),
                config,
                () -> new ConfigResult.Loaded(configured.get()),
                Logs.install(LogFormat.TEXT, "warn", log));
        service = new EdgeService(loops, setup);
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw new IllegalStateException(e);
        }
    }

    public static Config load(String toml) {
        try {
            Path file = Files.createTempFile("ron", ".toml");
            try {
                Files.writeString(file, toml);
                return switch (ConfigLoader.load(
                        List.of(Section.of("edge", EdgeConfig.class)),
                        Sources.none().withFile(file))) {
                    case ConfigResult.Loaded(Config config) -> config;
                    case ConfigResult.Rejected rejected -> throw new IllegalArgumentException(rejected.text());
                };
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the running edge take another configuration, and says how that went. */
    public ReloadOutcome reload(String toml) {
        configured.set(load(toml));
        return frame.reloader()
                .request("test")
                .await(Deadline.after(Clock.system(), PATIENCE))
                .outcome();
    }

    /** A GET with fields as name and value in turn. */
    public HttpResponse<byte[]> get(String path, String... fields) {
        return send("GET", path, fields);
    }

    public HttpResponse<byte[]> send(String method, String path, String... fields) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(PATIENCE);
        if (fields.length > 0) {
            request.headers(fields);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public RawClient client() {
        return new RawClient(port());
    }

    public int port() {
        return service.port();
    }

    public EdgeService service() {
        return service;
    }

    public Frame frame() {
        return frame;
    }

    public String metrics() {
        return new String(frame.metrics().scrape("").body(), StandardCharsets.UTF_8);
    }

    /** What it has warned of. */
    public String logged() {
        return log.toString(StandardCharsets.UTF_8);
    }

    public Shutdown.Report stop() {
        frame.shutdown().request("test", "over");
        return frame.awaitStopped(Deadline.after(Clock.system(), PATIENCE));
    }

    @Override
    public void close() {
        stop();
        http.close();
        loops.close();
    }
}
