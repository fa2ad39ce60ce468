package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.kms.FileKeystore;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.service.bus.Bus;
import dev.ron.service.config.Secret;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The writer of the office, killed again and again in the middle of its work: real processes, real SIGKILL. */
@Timeout(300)
class KilledWriterTest {
    private static final int ROUNDS = Integer.getInteger("ron.crash.rounds", 30);
    private static final int ROTATE_EVERY = 25;

    @TempDir
    Path folder;

    private static Registrar open(Path folder) throws IOException {
        SecureRandom random = new SecureRandom();
        return new Registrar(
                "urn:test",
                new FileKeystore(folder.resolve("keystore.json"), Secret.of("test"), random),
                FileJournal.open(folder.resolve("journal.bin")),
                Clock.system(),
                random,
                () -> KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30),
                () -> List.of(Purpose.PCT),
                Watch.of(0L),
                new Bus(new Broadcast<>(Bus.SPEC, Meter.none()), Meter.none()));
    }

    /** The child: revokes and rotates as fast as it can, and says so each time it was told that it is done. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws IOException {
            Registrar registrar = open(Path.of(args[0]));
            for (int i = 0; ; i++) {
                if (i % ROTATE_EVERY == ROTATE_EVERY - 1) {
                    registrar.applyAtStart(new Command.Rotate(Purpose.PCT, true));
                    say("key " + registrar.state().ring().active(Purpose.PCT).kid());
                    continue;
                }
                String id = args[1] + "-" + i;
                Revocation what = new Revocation.Id(id, Clock.system().now().getEpochSecond() + 3600);
                registrar.applyAtStart(new Command.Revoke(what, "other", "acme", Optional.empty(), false));
                say("id " + id);
            }
        }

        private static void say(String line) {
            System.out.println(line);
            System.out.flush();
        }
    }

    @AfterEach
    void leaveNoProcess() {
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }

    private Process start(int round) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx96m",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        folder.toString(),
                        "r" + round)
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    // append, sync, answer | SIGKILL at any moment  ->  what was answered is there at the next start, and it starts
    @Test
    void nothingAcknowledgedIsLostInThirtyKills() throws Exception {
        Set<String> ids = new HashSet<>();
        List<String> keys = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Process child = start(round);
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                int enough = 1 + ThreadLocalRandom.current().nextInt(60);
                for (int i = 0; i < enough; i++) {
                    note(out.readLine(), ids, keys);
                }
                child.toHandle().destroyForcibly(); // leaves what it said last to be read
                assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
                List<String> rest = out.lines().toList();
                // The last line may be cut short.
                for (String line : rest.subList(0, Math.max(0, rest.size() - 1))) {
                    note(line, ids, keys);
                }
            }
        }
        Registrar after = open(folder);
        assertThat(ids).hasSizeGreaterThan(ROUNDS / 2).allMatch(after.state().revocations()::isRevoked);
        assertThat(keys)
                .as("every key that was put to use is known: the last as active, the others as revoked")
                .allMatch(kid -> after.state().ring().find(kid).isPresent());
        after.close();
    }

    private void note(String line, Set<String> ids, List<String> keys) throws IOException {
        if (line == null) {
            throw new AssertionError("it did not start: " + Files.readString(folder.resolve("err.txt")));
        }
        if (line.startsWith("id ")) {
            ids.add(line.substring(3));
        } else {
            keys.add(line.substring(4));
        }
    }
}
