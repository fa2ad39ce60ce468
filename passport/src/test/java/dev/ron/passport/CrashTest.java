package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.json.StrictJson;
import dev.ron.passport.kms.CannotOpen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged survives: real processes, real SIGKILL. */
@Timeout(180)
class CrashTest {
    private static final int ROUNDS = Integer.getInteger("ron.crash.rounds", 3);

    @TempDir
    Path folder;

    /** The child: an office in a folder; it prints its port and its key, and runs until it is killed. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws Exception {
            OfficeProcess office = OfficeProcess.in(Path.of(args[0]));
            System.out.println(office.service().port() + " " + office.key());
            System.out.flush();
            System.in.read();
        }
    }

    @AfterEach
    void leaveNoProcess() {
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }

    private record Running(Process process, String base, String key) {
        static Running start(Path folder) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xmx192m",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Child.class.getName(),
                    folder.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectError(folder.resolve("err.txt").toFile())
                    .start();
            BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException(Files.readString(folder.resolve("err.txt")));
            }
            int space = line.indexOf(' ');
            return new Running(process, "http://127.0.0.1:" + line.substring(0, space), line.substring(space + 1));
        }

        HttpResponse<byte[]> post(HttpClient client, String path, String body) throws Exception {
            return client.send(
                    HttpRequest.newBuilder(URI.create(base + path))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + key)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    // revoke | SIGKILL at a random moment  ->  whatever was answered 200 is refused after the restart
    @Test
    void noAcknowledgedRevocationIsLostToSigkill() throws Exception {
        Set<String> acknowledged = new HashSet<>();
        String token = "";
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int round = 0; round < ROUNDS; round++) {
                Running office = Running.start(folder);
                if (round == 0) {
                    HttpResponse<byte[]> issued = office.post(
                            client, "/v1/passport/issue", "{\"subject_ref\":\"kept\",\"audience\":\"svc-demo\"}");
                    token = new StrictJson().tree(issued.body()).path("token").asString();
                }
                int writers = 4;
                List<Thread> threads = new ArrayList<>();
                Set<String> round_acks = java.util.concurrent.ConcurrentHashMap.newKeySet();
                int number = round;
                for (int w = 0; w < writers; w++) {
                    int writer = w;
                    threads.add(Thread.ofVirtual().start(() -> {
                        try {
                            for (int i = 0; ; i++) {
                                String id = "r" + number + "w" + writer + "i" + i;
                                if (office.post(client, "/v1/passport/revoke", "{\"jti\":\"" + id + "\"}")
                                                .statusCode()
                                        == 200) {
                                    round_acks.add(id);
                                }
                            }
                        } catch (Exception _) {
                            // killed
                        }
                    }));
                }
                int enough = 20 + ThreadLocalRandom.current().nextInt(40);
                dev.ron.kernel.testkit.Eventually.await("acknowledgements", () -> round_acks.size() >= enough);
                office.kill();
                for (Thread thread : threads) {
                    thread.join();
                }
                acknowledged.addAll(round_acks);
            }
        }
        try (OfficeProcess after = OfficeProcess.in(folder)) {
            var revocations = after.service().state().revocations();
            assertThat(acknowledged).isNotEmpty().allMatch(revocations::isRevoked);
            assertThat(after.verify(token).body().path("ok").asBoolean())
                    .as("keys survive too")
                    .isTrue();
        }
    }

    // whoever takes the journal away takes the revocations away
    @Test
    void aJournalThatIsGoneOrEmptyIsMissed() throws Exception {
        Path journal = folder.resolve("journal.bin");
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            office.post("/v1/passport/revoke", "{\"jti\":\"x\"}");
        }
        byte[] whole = Files.readAllBytes(journal);
        Files.write(journal, new byte[0]);
        assertThatThrownBy(() -> OfficeProcess.in(folder))
                .isInstanceOfSatisfying(
                        CannotOpen.class, e -> assertThat(e.isRollback()).isTrue());
        Files.delete(journal);
        assertThatThrownBy(() -> OfficeProcess.in(folder))
                .isInstanceOfSatisfying(
                        CannotOpen.class, e -> assertThat(e.isRollback()).isTrue());
        Files.write(journal, whole);
        Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rw-------"));
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            assertThat(office.service().state().revocations().isRevoked("x")).isTrue();
        }
    }

    @Test
    void anOlderKeystoreOrJournalIsToldFromTheNewest() throws Exception {
        Path keystore = folder.resolve("keystore.json");
        Path journal = folder.resolve("journal.bin");
        byte[] oldKeys;
        byte[] oldJournal;
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            oldKeys = Files.readAllBytes(keystore);
            oldJournal = Files.readAllBytes(journal);
            office.post("/v1/passport/revoke", "{\"jti\":\"x\"}");
            office.rotate("pct", false);
        }
        byte[] newKeys = Files.readAllBytes(keystore);
        Files.write(keystore, oldKeys);
        assertThatThrownBy(() -> OfficeProcess.in(folder))
                .isInstanceOfSatisfying(
                        CannotOpen.class, e -> assertThat(e.isRollback()).isTrue());
        Files.write(keystore, newKeys);
        byte[] newJournal = Files.readAllBytes(journal);
        Files.write(journal, oldJournal);
        assertThatThrownBy(() -> OfficeProcess.in(folder))
                .isInstanceOfSatisfying(
                        CannotOpen.class, e -> assertThat(e.isRollback()).isTrue());
        Files.write(journal, newJournal);
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            assertThat(office.service().state().revocations().isRevoked("x")).isTrue();
        }
    }
}
