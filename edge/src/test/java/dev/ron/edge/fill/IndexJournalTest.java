package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index on disk: read back as it was written, and cut off where it was torn. */
class IndexJournalTest {
    @TempDir
    Path folder;

    private static Stored stored(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Optional<Instant> modified =
                text.length() % 2 == 0 ? Optional.of(Instant.ofEpochSecond(1_700_000_000)) : Optional.empty();
        return new Stored(
                Blake3.hash(bytes),
                bytes.length,
                "text/plain",
                modified.map(_ -> "\"v\""),
                modified,
                Instant.ofEpochMilli(1_800_000_000_123L),
                Instant.ofEpochMilli(1_800_000_060_456L),
                new Freshness(
                        modified.map(_ -> 900),
                        Optional.of(Instant.ofEpochSecond(1_900_000_000)).filter(_ -> modified.isEmpty()),
                        modified.isPresent(),
                        modified.isEmpty()));
    }

    private static Map<String, Stored> read(Path file) throws IOException {
        Map<String, Stored> found = new LinkedHashMap<>();
        IndexJournal.open(file, found).close();
        return found;
    }

    /** Writes some changes; what was there after each of them, the first being nothing. */
    private static List<Map<String, Stored>> write(Path file) throws IOException {
        List<Map<String, Stored>> states = new ArrayList<>();
        Map<String, Stored> now = new LinkedHashMap<>();
        states.add(Map.of());
        try (IndexJournal journal = IndexJournal.open(file, new LinkedHashMap<>())) {
            for (int i = 0; i < 6; i++) {
                String key = "https://origin/" + i % 4;
                if (i == 4) {
                    journal.remove("https://origin/2");
                    now.remove("https://origin/2");
                } else {
                    Stored object = stored("object " + "x".repeat(i));
                    journal.put(key, object);
                    now.put(key, object);
                }
                states.add(Map.copyOf(now));
            }
        }
        return states;
    }

    // a process is killed after any byte of what it wrote  ->  what is read back is what was there after some change
    @Test
    void cutOffAnywhereItIsTheStateAfterSomeChange() throws IOException {
        Path file = folder.resolve("index");
        List<Map<String, Stored>> states = write(file);
        byte[] whole = Files.readAllBytes(file);
        assertThat(read(file)).isEqualTo(states.getLast());
        int last = 0;
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            Map<String, Stored> found = read(file);
            int state = states.indexOf(found);
            assertThat(state).as("cut at %d", length).isBetween(last, last + 1);
            last = state;
            // It goes on from there: what is added now is found, nothing of the torn record is.
            try (IndexJournal journal = IndexJournal.open(file, new LinkedHashMap<>())) {
                journal.put("https://origin/new", stored("new"));
            }
            assertThat(read(file)).hasSize(found.size() + 1).containsKey("https://origin/new");
        }
        assertThat(last).isEqualTo(states.size() - 1);
    }

    @Test
    void aDamagedRecordIsNeverBelieved() throws IOException {
        Path file = folder.resolve("index");
        List<Map<String, Stored>> states = write(file);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertThat(states).as("damaged at %d", at).contains(read(file));
        }
    }

    @Test
    void writtenAnewItHoldsOnlyWhatCounts() throws IOException {
        Path file = folder.resolve("index");
        Map<String, Stored> now = Map.of("https://origin/1", stored("one"), "https://origin/2", stored("two"));
        try (IndexJournal journal = IndexJournal.open(file, new LinkedHashMap<>())) {
            for (int i = 0; i < 1000; i++) {
                journal.put("https://origin/" + i, stored("old"));
            }
            journal.rewrite(now);
            assertThat(journal.records()).isEqualTo(2);
            journal.put("https://origin/3", stored("three"));
        }
        assertThat(Files.size(file)).isLessThan(1000);
        assertThat(read(file)).hasSize(3).containsAllEntriesOf(now);
    }
}
