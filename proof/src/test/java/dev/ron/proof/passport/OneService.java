package dev.ron.proof.passport;

import dev.ron.http.json.StrictJson;
import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** One real service in a frame and on loops of its own, behind a real listener; closing it takes both away. */
final class OneService<S extends RonService> implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /** Where all of them log to: a process has one log. */
    static final ByteArrayOutputStream LOG = new ByteArrayOutputStream();

    final S service;
    private final EventLoops loops;
    private final Frame frame;

    OneService(Section<?> section, Clock clock, Function<EventLoops, S> make, List<String> settings) throws Exception {
        Sources sources = Sources.none();
        for (String set : settings) {
            sources = sources.withSet(set);
        }
        ConfigResult result = ConfigLoader.load(List.of(section), sources);
        if (!(result instanceof ConfigResult.Loaded(Config config))) {
            throw new AssertionError(result.toString());
        }
        loops = new EventLoops("test", 1);
        FrameSettings frameSettings = new FrameSettings(
                "macro",
                false,
                Backoff.Policy.DEFAULT,
                c -> Duration.ofSeconds(2),
                c -> Duration.ZERO,
                c -> "info",
                Optional.empty());
        frame = Frame.open(frameSettings, clock, config, () -> result, Logs.install(LogFormat.JSON, "info", LOG));
        service = make.apply(loops);
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** An answer with its body read. */
    record Answer(int status, JsonNode body) {}

    static Answer send(String method, String url, String body, String credential) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!credential.isEmpty()) {
            request.header("Authorization", "Bearer " + credential);
        }
        HttpResponse<byte[]> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), new StrictJson().tree(response.body()));
    }

    @Override
    public void close() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(20)));
        loops.close();
    }
}
