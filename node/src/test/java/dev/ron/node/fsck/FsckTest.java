package dev.ron.node.fsck;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.node.ExitCode;
import dev.ron.node.RunningNode;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged copies of a real node's folder: each damage is found, named, and left as it is. */
@Timeout(180)
final class FsckTest {
    @TempDir
    static Path shared;

    @TempDir
    Path temp;

    private Path data;

    @BeforeAll
    static void aNodeLeavesItsFolder() throws IOException {
        try (RunningNode node = RunningNode.up(shared)) {
            String passport = "http://127.0.0.1:" + node.port("passport");
            String data = shared.resolve("data").toString();
            assertThat(ron("token", "issue", "--tenant", "acme", "--passport-url", passport, "--data", data)
                            .code())
                    .isZero();
            assertThat(ron("stop", "--url", "http://127.0.0.1:" + node.port("ops"), "--data", data)
                            .code())
                    .isZero();
            assertThat(node.exitCode()).isZero();
        }
        byte[] object = "an object".getBytes(StandardCharsets.UTF_8);
        String name = Blake3.hash(object).hex();
        Path folder = shared.resolve("data/edge/cas/b3/" + name.substring(0, 2) + "/" + name.substring(2, 4));
        Files.createDirectories(folder);
        Files.write(folder.resolve(name), object);
    }

    @BeforeEach
    void copy() throws IOException {
        data = temp.resolve("data");
        try (Stream<Path> all = Files.walk(shared.resolve("data"))) {
            for (Path path : all.toList()) {
                Path to = data.resolve(shared.resolve("data").relativize(path));
                Files.copy(path, to, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private Said fsck(String... more) {
        String[] args = {"fsck", "--data", data.toString()};
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return ron(all);
    }

    private void isBad(String... words) throws IOException {
        SortedMap<String, String> before = content();
        Said said = fsck();
        assertThat(said.code()).as(said.out()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out()).contains("bad ").contains(words);
        assertThat(content()).isEqualTo(before);
    }

    private SortedMap<String, String> content() throws IOException {
        TreeMap<String, String> content = new TreeMap<>();
        try (Stream<Path> all = Files.walk(data)) {
            all.filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith("ron.lock"))
                    .forEach(path -> content.put(path.toString(), hash(path)));
        }
        return content;
    }

    private static String hash(Path path) {
        try {
            return Blake3.hash(Files.readAllBytes(path)).hex();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void change(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at < 0 ? bytes.length + at : at] ^= 0x20;
        Files.write(file, bytes);
    }

    private Path find(String glob) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.getFileName().toString().matches(glob))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aFolderThatIsWholeIsGood() throws IOException {
        SortedMap<String, String> before = content();
        Said said = fsck();
        assertThat(said.out()).contains("all good", "version 1", "registry witness", "passport keystore", "1 objects");
        assertThat(said.code()).isZero();
        assertThat(fsck("--json").out()).contains("\"verdict\":\"OK\"");
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void rotInTheRegistrysLogIsFound() throws IOException {
        change(find("seg-\\d+\\.rgl"), 60);
        isBad("registry");
    }

    @Test
    void aLogThatIsGoneIsFound() throws IOException {
        Files.delete(find("seg-\\d+\\.rgl"));
        isBad("there is no log, but there was one before");
    }

    private void loseTheRegistry() throws IOException {
        try (Stream<Path> all = Files.walk(data.resolve("registry"))) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void aRegistryLostWholeIsFound() throws IOException {
        loseTheRegistry();
        isBad("registry", "there is no log, but there was one before");
    }

    @Test
    void aRegistryThatNeverWasIsNoDamage() throws IOException {
        loseTheRegistry();
        Files.delete(data.resolve("witness/registry.head"));
        assertThat(fsck().code()).isZero();
    }

    @Test
    void aLogThatIsOlderThanItsWitnessIsFound() throws IOException {
        Path witness = data.resolve("witness/registry.head");
        Files.writeString(witness, Files.readString(witness).replace("\"version\":1", "\"version\":7"));
        isBad("ends at version 1, it was at version 7");
    }

    @Test
    void aChangedKeystoreIsFound() throws IOException {
        change(data.resolve("passport/keystore.json"), -40);
        isBad("passport keystore");
    }

    @Test
    void aJournalThatIsGoneIsFound() throws IOException {
        Files.delete(data.resolve("passport/journal.bin"));
        isBad("passport journal", "is not there");
    }

    @Test
    void aChangedAuditLineIsFound() throws IOException {
        Path log = data.resolve("passport/audit.log");
        assertThat(Files.readAllLines(log)).hasSizeGreaterThan(1);
        Files.writeString(log, Files.readString(log).replaceFirst("\"action\":\"", "\"action\":\"x"));
        isBad("passport audit.log", "does not follow");
    }

    @Test
    void aChangedObjectIsFound() throws IOException {
        change(find("[0-9a-f]{64}"), 3);
        isBad("edge cas", "is not what its name says");
    }

    @Test
    void aTornTailIsNoDamage() throws IOException {
        Path journal = data.resolve("passport/journal.bin");
        byte[] bytes = Files.readAllBytes(journal);
        Files.write(journal, Arrays.copyOf(bytes, bytes.length + 9));
        Said said = fsck();
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("9 bytes of a batch that nobody was told of");
    }
}
