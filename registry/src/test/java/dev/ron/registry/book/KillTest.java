package dev.ron.registry.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.Entry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process under commit load, killed with SIGKILL again and again on the same folder. */
class KillTest {
    private static final int KILLS = Boolean.getBoolean("ron.long") ? 3000 : 30;

    private static final int HASH = B3.ZERO.text().length();

    @TempDir
    Path folder;

    @TempDir
    Path output;

    @Test
    void everyAcknowledgedCommitSurvivesEveryKill() {
        assertTimeoutPreemptively(Duration.ofMinutes(5 + KILLS / 10), this::killAgainAndAgain);
    }

    private void killAgainAndAgain() throws Exception {
        Random random = new Random(5);
        Map<Long, String> acknowledged = new LinkedHashMap<>();
        long unacknowledged = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            runAndKill(random.nextInt(40), acknowledged);
            unacknowledged += check(acknowledged, kill == KILLS);
        }
        assertThat(acknowledged.size()).isGreaterThan(KILLS);
        System.out.println(KILLS + " kills, " + acknowledged.size() + " commits acknowledged, " + unacknowledged
                + " more were there");
    }

    private void runAndKill(int lines, Map<Long, String> acknowledged) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CommitLoad.class.getName(),
                        folder.toString())
                .redirectError(output.resolve("err.txt").toFile())
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            assertThat(line).startsWith("ready");
            for (int i = 0; i < lines; i++) {
                note(out.readLine(), acknowledged);
            }
            // SIGKILL in the middle of whatever it does now.
            process.toHandle().destroyForcibly();
            for (line = out.readLine(); line != null; line = out.readLine()) {
                note(line, acknowledged);
            }
        } finally {
            process.destroyForcibly();
        }
        process.waitFor();
    }

    private static void note(String line, Map<Long, String> acknowledged) {
        String[] words = line.split(" ", -1);
        // The last line of a killed process may be cut off.
        if (words.length == 4 && words[3].length() == HASH) {
            assertThat(acknowledged.put(Long.parseLong(words[1]), words[2] + " " + words[3]))
                    .as("version " + words[1])
                    .isNull();
        }
    }

    private static String said(Entry entry) {
        return entry.proposalId() + " " + entry.hash();
    }

    /** Everything acknowledged is there, once and in its place, and the chain holds; answers how many more there are. */
    private long check(Map<Long, String> acknowledged, boolean signatures) throws Exception {
        try (SegmentStore store = SegmentStore.open(new RealDisk(folder), CommitLoad.SEGMENT)) {
            Registry registry = Registry.open(store, Limits.DEFAULT).orElseThrow();
            assertThat(store.trouble()).isEmpty();
            // The id says that it is there, the hash that its history is the one that was told: no fork.
            for (var told : acknowledged.entrySet()) {
                assertThat(said(registry.entry(told.getKey())))
                        .as("version " + told.getKey())
                        .isEqualTo(told.getValue());
            }
            if (signatures) {
                Ledger ledger = Ledger.open(registry.artifact(1).orElseThrow());
                for (long version = 2; version <= registry.view().version(); version++) {
                    ledger = ledger.accept(registry.artifact(version).orElseThrow(), Rigor.SIGNATURES);
                }
                assertThat(ledger.tree().root())
                        .isEqualTo(registry.view().ledger().tree().root());
            }
            long more = registry.view().version() - 1 - acknowledged.size();
            // What was there without having been told is told from now on.
            for (long version = 2; version <= registry.view().version(); version++) {
                acknowledged.putIfAbsent(version, said(registry.entry(version)));
            }
            return more;
        }
    }
}
