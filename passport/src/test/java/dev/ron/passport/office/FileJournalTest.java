package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Revocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
    @TempDir
    Path folder;

    private final List<JournalEntry> first = List.of(
            revoked(1, new Revocation.Id("AAECAwQFBgcICQoLDA0ODw", 1_900_000_000L)),
            revoked(2, new Revocation.Subject("acme", "ann", 1_800_000_000L)),
            new JournalEntry.Epoch(2));
    private final List<JournalEntry> second = List.of(
            revoked(3, new Revocation.Key("1IG2tMH7J2wbJZnO")),
            revoked(4, new Revocation.Floor(3)),
            revoked(5, new Revocation.TenantFloor("acme", 4)),
            new JournalEntry.FloorDue(5, 1_800_000_000),
            new JournalEntry.Sequence(5),
            new JournalEntry.ClientGone("old"),
            new JournalEntry.KeysSaved(7),
            new JournalEntry.ClientKept(new Client(
                    "ci",
                    "abcdefghijk",
                    Base64Url.encode(new byte[32]),
                    List.of("acme"),
                    Set.of(Right.ISSUE, Right.VERIFY),
                    List.of("svc-gateway"),
                    60)));

    private static JournalEntry revoked(long seq, Revocation what) {
        return new JournalEntry.Revoked(new FeedEntry(seq, what, "other"));
    }

    private Path file() {
        return folder.resolve("journal.bin");
    }

    private List<JournalEntry> reread() throws IOException {
        try (FileJournal journal = FileJournal.open(file())) {
            return journal.read();
        }
    }

    private void writeBoth() throws IOException {
        try (FileJournal journal = FileJournal.open(file())) {
            journal.read();
            journal.append(first);
            journal.append(second);
            assertThat(journal.batches()).isEqualTo(2);
        }
    }

    @Test
    void everyKindOfEntryComesBackInOrder() throws IOException {
        writeBoth();
        assertThat(reread()).containsSubsequence(first).endsWith(second.toArray(JournalEntry[]::new));
    }

    // A crash may leave any number of bytes of the last batch  ->  the batch before it is whole, the rest is gone
    @Test
    void aTailTornAtAnyByteIsCutOff() throws IOException {
        try (FileJournal journal = FileJournal.open(file())) {
            journal.read();
            journal.append(first);
        }
        int whole = (int) Files.size(file());
        try (FileJournal journal = FileJournal.open(file())) {
            journal.read();
            journal.append(second);
        }
        byte[] all = Files.readAllBytes(file());
        for (int length = whole; length < all.length; length++) {
            Files.write(file(), Arrays.copyOf(all, length));
            assertThat(reread()).as("cut at %s", length).isEqualTo(first);
            assertThat(Files.size(file())).isEqualTo(whole);
        }
    }

    @Test
    void writingGoesOnAfterATornTail() throws IOException {
        writeBoth();
        byte[] all = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(all, all.length - 1));
        try (FileJournal journal = FileJournal.open(file())) {
            assertThat(journal.read()).isEqualTo(first);
            journal.append(second);
        }
        assertThat(reread()).hasSize(first.size() + second.size());
    }

    @Test
    void readingAgainAfterAFailedWriteGivesTheSame() throws IOException {
        writeBoth();
        try (FileJournal journal = FileJournal.open(file())) {
            List<JournalEntry> once = journal.read();
            Files.write(file(), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
            assertThat(journal.read()).isEqualTo(once);
            assertThat(journal.batches()).isEqualTo(2);
        }
    }

    // a batch is written and its sync fails | the system takes it for written | the file is read again  ->  it is
    // written again, and then synced
    @Test
    void theLastBatchIsWrittenAgainBeforeItIsSyncedAndCounts() throws Exception {
        writeBoth();
        byte[] all = Files.readAllBytes(file());
        List<RecordedEvent> events;
        try (Recording recording = new Recording();
                FileJournal journal = FileJournal.open(file())) {
            recording.enable("jdk.FileWrite").withoutThreshold();
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            journal.read();
            recording.stop();
            Path dump = folder.resolve("writes.jfr");
            recording.dump(dump);
            events = RecordingFile.readAllEvents(dump).stream()
                    .filter(event -> String.valueOf(event.getString("path")).endsWith("journal.bin"))
                    .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                    .toList();
        }
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .containsExactly("jdk.FileWrite", "jdk.FileForce");
        assertThat(events.getFirst().getLong("bytesWritten")).isBetween(1L, all.length - 1L);
        assertThat(Files.readAllBytes(file())).isEqualTo(all);
    }

    // the name was given to another file and the writer does not know  ->  it reads and writes the one with the name
    @Test
    void afterARewriteThatFailedHalfWayTheFileOfThatNameIsWritten() throws IOException {
        try (FileJournal journal = FileJournal.open(file())) {
            journal.read();
            journal.append(first);
            Path other = folder.resolve("other.bin");
            Files.copy(file(), other, StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(other, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            assertThat(journal.read()).isEqualTo(first);
            journal.append(second);
        }
        assertThat(reread()).hasSize(first.size() + second.size());
    }

    @Test
    void damageBeforeAWholeBatchIsRefusedNotCutOff() throws IOException {
        writeBoth();
        byte[] all = Files.readAllBytes(file());
        all[30] ^= 1;
        Files.write(file(), all);
        assertThatThrownBy(this::reread).isInstanceOf(CannotOpen.class).hasMessageContaining("damaged");
        assertThat(Files.readAllBytes(file())).isEqualTo(all);
    }

    @Test
    void aRewrittenJournalKeepsItsNumber() throws IOException {
        writeBoth();
        try (FileJournal journal = FileJournal.open(file())) {
            journal.read();
            journal.rewrite(second);
            journal.append(first);
            assertThat(journal.batches()).isEqualTo(4);
        }
        try (FileJournal journal = FileJournal.open(file())) {
            assertThat(journal.read()).hasSize(first.size() + second.size());
            assertThat(journal.batches()).isEqualTo(4);
        }
    }
}
