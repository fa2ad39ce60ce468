package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node keeps under {@code --data} survives: backup, wipe, restore, and everything is as it was. */
@Timeout(240)
final class KeptDataTest {
    private static final Pattern PENDING = Pattern.compile("(p_[a-z2-7]{26})\\S*\\s.*pending");
    private static final Pattern KID = Pattern.compile("\"kid\":\"([^\"]+)\"");

    @TempDir
    Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    @Test
    void registryKeysAndRevocationsComeBackFromABackup() throws IOException {
        String revoked;
        String good;
        String kid;
        String head;
        try (NodeProcess node = NodeProcess.up(folder)) {
            revoked = issue(node);
            good = issue(node);
            kid = kid(node);
            Eventually.await(
                    "the demo has heard the issuer",
                    () -> guarded(node, revoked).startsWith("HTTP/1.1 200"));
            assertThat(ron(
                                    "token",
                                    "revoke",
                                    revoked,
                                    "--passport-url",
                                    node.url("passport"),
                                    "--data",
                                    data().toString())
                            .code())
                    .isZero();
            commit(node);
            head = head(node);
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
        Path file = folder.resolve("kept.zip");
        assertThat(ron("backup", file.toString(), "--data", data().toString()).code())
                .isZero();
        wipe();
        assertThat(ron("restore", file.toString(), "--data", data().toString()).code())
                .isZero();
        Said whole = ron("fsck", "--data", data().toString());
        assertThat(whole.code()).as(whole.out()).isZero();
        Files.delete(folder.resolve("ports.json"));
        try (NodeProcess node = NodeProcess.up(folder)) {
            assertThat(head(node)).isEqualTo(head);
            assertThat(kid(node)).isEqualTo(kid);
            Eventually.await(
                    "the demo has heard the issuer", () -> guarded(node, good).startsWith("HTTP/1.1 200"));
            assertThat(guarded(node, revoked)).contains("\"reason\":\"revoked\"");
        }
    }

    private String issue(NodeProcess node) {
        Said issued = ron(
                "token",
                "issue",
                "--tenant",
                "acme",
                "--audience",
                "svc-demo",
                "--passport-url",
                node.url("passport"),
                "--data",
                data().toString());
        assertThat(issued.code()).as(issued.err()).isZero();
        return issued.out().strip();
    }

    private void commit(NodeProcess node) {
        String[] target = {
            "--registry-url", node.url("registry"), "--passport-url", node.url("passport"), "--data", data().toString()
        };
        Matcher pending = PENDING.matcher(ron(concat(target, "registry", "log")).out());
        assertThat(pending.find()).isTrue();
        String id = pending.group(1);
        Eventually.await(
                "the registry has heard the issuer",
                () -> !ron(concat(target, "registry", "commit", id)).err().contains("503"));
        String keys = data().resolve("demo/keys").toString();
        Said done = ron(concat(
                target,
                "registry",
                "approve",
                id,
                "--yes",
                "--commit",
                "--key",
                keys + "/ann.key",
                "--key",
                keys + "/ben.key"));
        assertThat(done.out()).as(done.err()).contains("version 2");
    }

    private static String[] concat(String[] last, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
    }

    private static String head(NodeProcess node) {
        Matcher head = Pattern.compile("\"version\":2.*").matcher(node.get("registry", "/registry/2"));
        assertThat(head.find()).isTrue();
        return head.group();
    }

    private static String kid(NodeProcess node) {
        Matcher kid = KID.matcher(node.get("passport", "/.well-known/jwks.json"));
        assertThat(kid.find()).isTrue();
        return kid.group(1);
    }

    private static String guarded(NodeProcess node, String token) {
        return node.get("demo", "/guarded", token);
    }

    private void wipe() throws IOException {
        try (Stream<Path> all = Files.walk(data())) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
