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
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A killed process loses nothing that the system has already; a machine without power does. So: the syncs themselves. */
class SyncedBeforeAnsweredTest {
    @TempDir
    Path folder;

    private Registrar open() throws IOException {
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

    // write | sync | answer  ->  before the k-th answer the journal was synced k times, and the keys once per rotation
    @Test
    void everyAnswerWasPrecededByASyncOfItsFile() throws Exception {
        List<Instant> answers = new ArrayList<>();
        List<RecordedEvent> syncs;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            Registrar registrar = open();
            recording.start();
            for (int i = 0; i < 5; i++) {
                registrar.applyAtStart(new Command.Revoke(
                        new Revocation.Id("id" + i, Clock.system().now().getEpochSecond() + 60),
                        "other",
                        "acme",
                        Optional.empty(),
                        false));
                answers.add(Instant.now());
            }
            registrar.applyAtStart(new Command.Rotate(Purpose.PCT, true));
            answers.add(Instant.now());
            recording.stop();
            registrar.close();
            Path dump = folder.resolve("syncs.jfr");
            recording.dump(dump);
            syncs = RecordingFile.readAllEvents(dump);
        }
        for (int k = 0; k < answers.size(); k++) {
            assertThat(before(syncs, answers.get(k), "journal.bin"))
                    .as("syncs of the journal before answer %d", k + 1)
                    .isGreaterThanOrEqualTo(k + 1);
        }
        assertThat(before(syncs, answers.getLast(), "keystore.json.tmp")).isEqualTo(1);
        assertThat(before(syncs, answers.getLast(), folder.getFileName().toString()))
                .as("the folder, after the new keystore took its name")
                .isEqualTo(1);
    }

    private static long before(List<RecordedEvent> syncs, Instant answer, String file) {
        return syncs.stream()
                .filter(sync -> String.valueOf(sync.getString("path")).endsWith(file))
                .filter(sync -> !sync.getEndTime().isAfter(answer))
                .count();
    }
}
