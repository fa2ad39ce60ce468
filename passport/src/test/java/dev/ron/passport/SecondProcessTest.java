package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.token.crypto.Signatures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an office does, as a verifier in another process sees it. */
@Timeout(120)
class SecondProcessTest {
    /** Shorter than what a verifier may go without news, so that time passes as it does, only quicker. */
    private static final int STEP_SECONDS = 150;

    private static final int STEPS_OF_A_ROTATION = 5; // more than the ten minutes for which a key is announced

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable Process verifier;
    private String url = "";

    private void follow(OfficeProcess office, Path time) throws IOException {
        Path port = folder.resolve("port");
        verifier = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SecondProcess.class.getName(),
                        office.service().issuer(),
                        office.url(""),
                        office.service().ownKey().reveal(),
                        time.toString(),
                        port.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("verifier.txt").toFile())
                .start();
        Eventually.await("the second process", () -> Files.exists(port));
        url = "http://127.0.0.1:" + Files.readString(port);
    }

    @AfterEach
    void end() {
        if (verifier != null) {
            verifier.descendants().forEach(ProcessHandle::destroyForcibly);
            verifier.destroyForcibly();
        }
        client.close();
    }

    private String ask(String path, String body) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url + path))
                                    .POST(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // planned rotations | tokens are issued and shown to another process all the while  ->  it refuses none of them
    @Test
    void rotationUnderLoadRefusesNoValidTokenAtASecondProcess() throws Exception {
        Path file = folder.resolve("time");
        SecondProcess.SharedTime time = new SecondProcess.SharedTime(file);
        try (OfficeProcess office = OfficeProcess.with(SigningEngine.local(Signatures.portable()));
                Crew crew = new Crew()) {
            follow(office, file);
            Eventually.await(
                    "the first keys", () -> ask("/verify", office.issue()).equals("allow"));
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger checked = new AtomicInteger();
            AtomicReference<String> refused = new AtomicReference<>("");
            for (int i = 0; i < 3; i++) {
                crew.addVirtual(() -> {
                    while (!done.get()) {
                        String verdict = ask("/verify", office.issue());
                        if (!verdict.equals("allow")) {
                            refused.set(verdict);
                        }
                        checked.incrementAndGet();
                    }
                });
            }
            crew.go();
            Set<String> signers = new HashSet<>();
            for (int round = 0; round < 2; round++) {
                signers.add(office.tryIssue().body().path("kid").asString());
                office.rotate("pct", false);
                for (int step = 0; step < STEPS_OF_A_ROTATION; step++) {
                    time.pass(STEP_SECONDS);
                    office.timePasses(Duration.ofSeconds(STEP_SECONDS));
                    // News wakes the writer, which looks at the calendar, and the feed.
                    office.post("/v1/passport/revoke", "{\"jti\":\"x" + round + step + "\"}");
                    int before = checked.get();
                    Eventually.await("load goes on", () -> checked.get() > before + 10);
                    Eventually.await("news", () -> Long.parseLong(ask("/age", "")) < STEP_SECONDS);
                }
            }
            signers.add(office.tryIssue().body().path("kid").asString());
            done.set(true);
            crew.finish();
            assertThat(refused.get()).as("of %d tokens", checked.get()).isEmpty();
            assertThat(signers).as("keys that signed meanwhile").hasSize(3);
        }
    }

    // the key leaked  ->  a second process refuses what it signed, and takes what its successor signs
    @Test
    void anEmergencyRotationIsSeenAtASecondProcess() throws Exception {
        Path file = folder.resolve("time");
        new SecondProcess.SharedTime(file).pass(0);
        try (OfficeProcess office = OfficeProcess.with(SigningEngine.local(Signatures.portable()))) {
            follow(office, file);
            String old = office.issue();
            Eventually.await("the first keys", () -> ask("/verify", old).equals("allow"));
            office.rotate("pct", true);
            String fresh = office.issue();
            Eventually.await("the new key", () -> ask("/verify", fresh).equals("allow"));
            assertThat(List.of("revoked", "unknown_kid", "epoch_floor")).contains(ask("/verify", old));
        }
    }
}
