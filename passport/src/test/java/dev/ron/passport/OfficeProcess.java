package dev.ron.passport;

import dev.ron.http.json.StrictJson;
import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.passport.office.Command;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Purpose;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A whole passport office behind a real listener, for tests. */
final class OfficeProcess implements AutoCloseable {
    private final AtomicReference<Sources> sources;
    private final EventLoops loops;
    private final Frame frame;
    private final PassportService service;
    private final HttpClient client = HttpClient.newHttpClient();
    private final OfficeClock clock = new OfficeClock();
    final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private OfficeProcess(
            Sources first,
            Optional<Path> folder,
            SigningEngine engine,
            Optional<Supplier<Optional<Setup.LocalRegistry>>> registry)
            throws Exception {
        sources = new AtomicReference<>(first);
        loops = new EventLoops("test", 1);
        Logs logs = Logs.install(LogFormat.JSON, "info", log);
        FrameSettings settings = new FrameSettings(
                "macro",
                false,
                Backoff.Policy.DEFAULT,
                c -> Duration.ofSeconds(10),
                c -> Duration.ZERO,
                c -> "info",
                Optional.empty());
        if (!(load() instanceof ConfigResult.Loaded(Config config))) {
            throw new AssertionError(load().toString());
        }
        frame = Frame.open(settings, clock, config, this::load, logs);
        service =
                new PassportService(loops, new Setup("127.0.0.1", 0, folder, true, engine, registry, Optional.empty()));
        try {
            frame.start(List.of(service));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    static OfficeProcess inMemory(String... settings) throws Exception {
        return new OfficeProcess(
                sources(settings), Optional.empty(), SigningEngine.local(Signatures.portable()), Optional.empty());
    }

    static OfficeProcess in(Path folder, String... settings) throws Exception {
        return new OfficeProcess(
                sources(settings), Optional.of(folder), SigningEngine.local(Signatures.portable()), Optional.empty());
    }

    static OfficeProcess with(SigningEngine engine, String... settings) throws Exception {
        return new OfficeProcess(sources(settings), Optional.empty(), engine, Optional.empty());
    }

    private static Sources sources(String... settings) {
        Sources sources = Sources.none();
        for (String set : settings) {
            sources = sources.withSet(set);
        }
        return sources;
    }

    private ConfigResult load() {
        return ConfigLoader.load(List.of(Section.of("passport", PassportConfig.class)), sources.get());
    }

    void reload(String set) {
        sources.updateAndGet(s -> s.withSet(set));
        frame.reloader().request("test").await(Deadline.after(frame.clock(), Duration.ofSeconds(30)));
    }

    /** Runs a body while the one writer cannot go on: the calendar it looks at does not answer. */
    void whileWriterIsHeld(CountDownLatch until, Runnable body) {
        clock.heldUntil.set(until);
        body.run();
    }

    /** Has the next worker that looks at the clock fail in a way nobody foresaw. */
    void breakOneIssuanceWorker() {
        clock.breaksOne.set(true);
    }

    /** Moves the wall clock; waits and deadlines stay as they are. */
    void timePasses(Duration by) {
        clock.move(by);
    }

    /** A clock at which one of the office's threads can be held, or broken. */
    private static final class OfficeClock extends MovableClock {
        final AtomicReference<@Nullable CountDownLatch> heldUntil = new AtomicReference<>();
        final AtomicBoolean breaksOne = new AtomicBoolean();

        @Override
        public Instant now() {
            if (Thread.currentThread().getName().contains("issuance") && breaksOne.compareAndSet(true, false)) {
                throw new IllegalStateException("a defect");
            }
            CountDownLatch held = heldUntil.get();
            if (held != null && Thread.currentThread().getName().contains("revocation")) {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return super.now();
        }
    }

    void rotate(String purpose, boolean now) {
        carryOut(new Command.Rotate(Purpose.of(purpose).orElseThrow(), now));
    }

    void carryOut(Command command) {
        CallContext.of(Deadline.after(frame.clock(), Duration.ofSeconds(30)), "test")
                .run(() -> service.carryOut(command));
    }

    String key() {
        return service.bootstrapKey().orElseThrow().reveal();
    }

    PassportService service() {
        return service;
    }

    Frame frame() {
        return frame;
    }

    EventLoops loops() {
        return loops;
    }

    String url(String path) {
        return "http://127.0.0.1:" + service.port() + path;
    }

    /** An answer with its body read. */
    record Answer(int status, JsonNode body, HttpResponse<byte[]> raw) {
        String reason() {
            return body.path("reason").asString("");
        }
    }

    Answer post(String path, String body) {
        return post(path, body, key());
    }

    Answer post(String path, String body, String credential) {
        return send(HttpRequest.newBuilder(URI.create(url(path)))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + credential)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    Answer get(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url(path)));
        if (headers.length > 0) {
            builder.headers(headers);
        }
        return send(builder.build());
    }

    Answer send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            byte[] body = response.body().length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : response.body();
            return new Answer(response.statusCode(), new StrictJson().tree(body), response);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token for the demo audience with these further members of the request. */
    String issue(String... members) {
        Answer answer = tryIssue(members);
        if (answer.status() != 200) {
            throw new AssertionError(answer.body().toString());
        }
        return answer.body().path("token").asString();
    }

    Answer tryIssue(String... members) {
        StringBuilder body = new StringBuilder("{\"subject_ref\":\"ann\",\"audience\":\"svc-demo\"");
        for (String member : members) {
            body.append(',').append(member);
        }
        return post("/v1/passport/issue", body.append('}').toString());
    }

    /** The token with one more block. */
    String narrowed(String token, String... caveats) {
        String list = Stream.of(caveats).collect(Collectors.joining("\",\"", "[\"", "\"]"));
        Answer answer = post("/v1/passport/attenuate", "{\"token\":\"" + token + "\",\"caveats\":" + list + "}");
        if (answer.status() != 200) {
            throw new AssertionError(answer.body().toString());
        }
        return answer.body().path("token").asString();
    }

    Answer verify(String token) {
        return post("/v1/passport/verify", "{\"token\":\"" + token + "\"}");
    }

    @Override
    public void close() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(Deadline.after(frame.clock(), Duration.ofSeconds(30)));
        loops.close();
        client.close();
    }
}
