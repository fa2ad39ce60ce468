package dev.ron.gateway;

import dev.ron.gateway.config.GatewayConfig;
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
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A whole gateway on a free port, from the text of a configuration. */
public final class TestGateway implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventLoops loops = new EventLoops("gateway-test", 2);
    private final AtomicReference<Config> configured = new AtomicReference<>();
    private final Frame frame;
    private final GatewayService service;

    public TestGateway(String toml) {
        this(toml, PATIENCE);
    }

    /** @param drainDeadline how long what runs may go on once the process stops */
    public TestGateway(String toml, Duration drainDeadline) {
        Config config = load(toml);
        configured.set(config);
        FrameSettings settings = new FrameSettings(
                "macro",
                false,
                Backoff.Policy.DEFAULT,
                c -> drainDeadline,
                c -> Duration.ZERO,
                c -> "warn",
                Optional.empty());
        frame = Frame.open(
                settings,
                Clock.system(),
                config,
                () -> new ConfigResult.Loaded(configured.get()),
                Logs.install(LogFormat.TEXT, "warn", OutputStream.nullOutputStream()));
        service = new GatewayService(loops, "127.0.0.1", 0, c -> c, Optional::empty);
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw new IllegalStateException(e);
        }
    }

    /** A gateway with one upstream at these ports, and one route to it for every path. */
    public static TestGateway to(String more, int... ports) {
        return to(more, PATIENCE, ports);
    }

    /** The same with a deadline for its drain. */
    public static TestGateway to(String more, Duration drainDeadline, int... ports) {
        StringBuilder toml = new StringBuilder(more);
        toml.append("\n[gateway.routes.all]\npath = \"/**\"\nupstream = \"one\"\nauth = \"none\"\n"
                + "methods = [\"GET\", \"HEAD\", \"POST\", \"PUT\", \"DELETE\", \"OPTIONS\"]\n");
        for (int port : ports) {
            toml.append("[[gateway.upstreams.one.targets]]\nurl = \"http://127.0.0.1:" + port + "\"\n");
        }
        return new TestGateway(toml.toString(), drainDeadline);
    }

    public static Config load(String toml) {
        try {
            Path file = Files.createTempFile("ron", ".toml");
            try {
                Files.writeString(file, toml);
                return switch (ConfigLoader.load(
                        List.of(Section.of("gateway", GatewayConfig.class)),
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

    /** Has the running gateway take another configuration, and says how that went. */
    public ReloadOutcome reload(String toml) {
        configured.set(load(toml));
        return frame.reloader()
                .request("test")
                .await(Deadline.after(Clock.system(), PATIENCE))
                .outcome();
    }

    public RawClient client() {
        return new RawClient(service.port());
    }

    public int port() {
        return service.port();
    }

    public GatewayService service() {
        return service;
    }

    public Frame frame() {
        return frame;
    }

    public String metrics() {
        return new String(frame.metrics().scrape("").body(), StandardCharsets.UTF_8);
    }

    public Shutdown.Report stop() {
        frame.shutdown().request("test", "over");
        return frame.awaitStopped(Deadline.after(Clock.system(), PATIENCE));
    }

    @Override
    public void close() {
        stop();
        loops.close();
    }
}
