package dev.ron.node;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.node.data.DataFolder;
import dev.ron.service.ops.OperatorGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Records with the flight recorder where a node's time goes, on an operator's word, into its data folder. */
final class Profiling {
    private static final String PATH = "/api/v1/profile";
    private static final int MOST_SECONDS = 600;
    /** Arguments, properties, the environment and other processes: passphrases and tokens stand there. */
    private static final List<String> SECRETIVE = List.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Optional<DataFolder> data;
    private final StrictJson json = new StrictJson();
    private final AtomicReference<@Nullable Recording> current = new AtomicReference<>();

    /** The body of the request. */
    record Asked(int seconds) {}

    Profiling(Optional<DataFolder> data) {
        this.data = data;
    }

    void addTo(Routes routes, OperatorGuard guard) {
        routes.add(
                List.of("POST"),
                PATH,
                routes.with((BlockingHandler) this::begin).maxBodyBytes(1024).guard(guard));
        routes.add(
                List.of("GET"), PATH, routes.with((BlockingHandler) this::state).maxBodyBytes(0));
    }

    private Response begin(Request request) {
        int seconds = json.read(request.body(), Asked.class).seconds();
        if (seconds < 1 || seconds > MOST_SECONDS) {
            throw new RonException(
                    Code.BAD_REQUEST, "bad_request", "seconds is " + seconds + "; expected 1 to " + MOST_SECONDS);
        }
        DataFolder folder = data.orElseThrow(() -> new RonException(
                Code.CONFLICT, "amnesia", "profile micro writes no file, so there is nowhere to record to"));
        Recording recording = recording(folder, seconds);
        Recording before = current.get();
        boolean busy = before != null && before.getState() == RecordingState.RUNNING;
        if (busy || !current.compareAndSet(before, recording)) {
            recording.close();
            throw new RonException(
                    Code.CONFLICT, "busy", "a recording is running; GET " + PATH + " tells when it ends");
        }
        recording.start();
        return answer(202, recording);
    }

    private static Recording recording(DataFolder folder, int seconds) {
        try {
            Path file = folder.of("profiles").resolve("ron-" + STAMP.format(Instant.now()) + ".jfr");
            Recording recording = new Recording(Configuration.getConfiguration("profile"));
            SECRETIVE.forEach(recording::disable);
            recording.setDuration(Duration.ofSeconds(seconds));
            recording.setDestination(file);
            return recording;
        } catch (IOException | ParseException e) {
            throw new RonException(Code.INTERNAL, "internal", "the flight recorder does not start: " + e.getMessage());
        }
    }

    private Response state(Request request) {
        Recording recording = current.get();
        if (recording == null) {
            throw new RonException(Code.NOT_FOUND, "not_found", "nothing was recorded since the start");
        }
        return answer(200, recording);
    }

    private static Response answer(int status, Recording recording) {
        boolean done = recording.getState() == RecordingState.STOPPED || recording.getState() == RecordingState.CLOSED;
        return Response.json(
                        status,
                        JsonMapper.shared()
                                .writeValueAsBytes(JsonMapper.shared()
                                        .createObjectNode()
                                        .put("file", String.valueOf(recording.getDestination()))
                                        .put("done", done)))
                .withHeader("Cache-Control", "no-store");
    }
}
