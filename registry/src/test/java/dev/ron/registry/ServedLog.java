package dev.ron.registry;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.service.reload.ReloadReport;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The whole service on a real socket, over a disk that a test makes fail. */
final class ServedLog implements AutoCloseable {
    private static final List<Section<?>> SECTIONS = List.of(Section.of("registry", RegistryConfig.class));

    final RegistryService service;
    final Frame frame;
    private final EventLoops loops = new EventLoops("served", 1);
    private volatile Sources sources;
    private final HttpClient client = HttpClient.newHttpClient();

    /** @param settings as {@code registry.limits.rps=0} */
    ServedLog(FaultyDisk disk, Path witness, String... settings) throws Exception {
        Sources given = Sources.none().withSet("registry.storage.min_free_bytes=0B");
        for (String setting : settings) {
            given = given.withSet(setting);
        }
        sources = given;
        if (!(ConfigLoader.load(SECTIONS, given) instanceof ConfigResult.Loaded(var config))) {
            throw new AssertionError("the settings are wrong");
        }
        frame = Frame.open(
                FrameSettings.defaults(),
                Clock.system(),
                config,
                () -> ConfigLoader.load(SECTIONS, sources),
                Logs.install(LogFormat.TEXT, "error", new ByteArrayOutputStream()));
        service = new RegistryService(
                loops,
                new Setup(
                        "127.0.0.1",
                        0,
                        Optional.of(Path.of("memory")),
                        Optional.of(witness),
                        false,
                        Optional.empty(),
                        RegistryTopology.COMMITTED,
                        Optional::empty),
                folder -> disk);
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** Reloads with one more setting; answers how that ended. */
    ReloadReport reload(String setting) {
        sources = sources.withSet(setting);
        return frame.reloader().request("test").await(Deadline.after(Clock.system(), Duration.ofSeconds(20)));
    }

    String metrics() {
        return new String(frame.metrics().scrape("").body(), StandardCharsets.UTF_8);
    }

    HttpResponse<String> get(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }

    @Override
    public void close() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
        client.close();
        loops.close();
    }
}
