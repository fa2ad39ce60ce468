package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Data written by an older version is read: a backup of each format that was ever released, kept as it was written.
 *
 * <p>Each was made with that version: a demo node on which {@code ron client add robot} and a commit were done, stopped, then
 * {@code ron backup}; the properties beside it say what was in it. A new format gets a new file; an old one is never made anew.
 */
@Timeout(120)
final class OlderDataTest {
    private static final Path KEPT = Path.of("src/test/resources/older-data");

    @TempDir
    Path folder;

    @Test
    void whatVersion010WroteIsRead() throws IOException {
        Properties was = new Properties();
        try (var in = Files.newInputStream(KEPT.resolve("0.1.0.properties"))) {
            was.load(in);
        }
        Path data = folder.resolve("data");
        Said restored = ron("restore", KEPT.resolve("0.1.0.zip").toString(), "--data", data.toString());
        assertThat(restored.code()).as(restored.err()).isZero();
        Said whole = ron("fsck", "--data", data.toString());
        assertThat(whole.code()).as(whole.out()).isZero();
        try (NodeProcess node = NodeProcess.up(folder)) {
            assertThat(node.get("registry", "/registry/head"))
                    .contains("\"version\":" + was.getProperty("version"), was.getProperty("hash"));
            assertThat(node.get("passport", "/.well-known/jwks.json")).contains(was.getProperty("kid"));
            Said again = ron(
                    "client", "add", "robot", "--tenant", "acme", "--url", node.url("ops"), "--data", data.toString());
            assertThat(again.err()).as("the client is known already").contains("robot");
            assertThat(again.code()).isEqualTo(ExitCode.NO.code());
            Said issued = ron(
                    "token",
                    "issue",
                    "--tenant",
                    "acme",
                    "--passport-url",
                    node.url("passport"),
                    "--data",
                    data.toString());
            assertThat(issued.out()).as(issued.err()).startsWith("pct1~");
            Said steering = ron(
                    "token",
                    "issue",
                    "--audience",
                    "svc-registry",
                    "--passport-url",
                    node.url("passport"),
                    "--data",
                    data.toString());
            assertThat(steering.out()).as(steering.err()).startsWith("pct1~");
        }
    }
}
