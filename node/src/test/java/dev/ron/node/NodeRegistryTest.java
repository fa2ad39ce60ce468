package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.cli.Ron;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registry in a node: what a start refuses. */
class NodeRegistryTest {
    @TempDir
    Path folder;

    // The witness lies outside the registry's folder, so a log that is put back is noticed.
    @Test
    void aLogThatIsOlderThanItWasEndsTheStartWith74() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
        Path witness = folder.resolve("data/witness/registry.head");
        String remembered = Files.readString(witness);
        assertThat(remembered).contains("\"version\":1");
        Files.writeString(witness, remembered.replace("\"version\":1", "\"version\":7"));
        try (NodeProcess node = NodeProcess.start(folder, "up", "--port-base", "0")) {
            assertThat(node.exitCode()).isEqualTo(ExitCode.ROLLBACK.code());
            assertThat(node.err()).contains("ends at version 1, it was at version 7", "accept-rollback");
        }
        String data = folder.resolve("data").toString();
        Ron.Said asked = Ron.ron("registry", "accept-rollback", "--data", data);
        assertThat(asked.code()).isEqualTo(ExitCode.NO.code());
        assertThat(asked.out()).contains("was rolled back", "nothing was changed");
        boolean root = Files.getAttribute(folder, "unix:uid").equals(0);
        if (root) {
            Files.setAttribute(folder.resolve("data"), "unix:uid", 65_532); // as under systemd
        }
        Ron.Said done = Ron.ron("registry", "accept-rollback", "--data", data, "--yes");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out()).contains("/restored/", "genesis b3:");
        for (String made : List.of("registry", "registry/log", "registry/keys", "witness", "witness/registry.head")) {
            assertThat(Files.getAttribute(folder.resolve("data").resolve(made), "unix:uid"))
                    .as("owner of %s", made)
                    .isEqualTo(Files.getAttribute(folder.resolve("data"), "unix:uid"));
        }
        assertThat(Ron.ron("registry", "accept-rollback", "--data", data, "--yes")
                        .err())
                .contains("nothing to accept");
        Files.delete(folder.resolve("ports.json"));
        try (NodeProcess node = NodeProcess.up(folder)) {
            String head = Ron.ron("registry", "log", "--registry-url", "http://127.0.0.1:" + node.port("registry"))
                    .out();
            assertThat(head).contains("genesis");
        }
    }

    // root has begun the log, another account runs the node  ->  it says so rather than leave the registry out
    @Test
    void aRegistryThatTheAccountMayNotLookIntoIsNotLeftOut() throws Exception {
        Path registry =
                Files.createDirectories(folder.resolve("data/registry/log")).getParent();
        Files.writeString(folder.resolve("ron.toml"), "[node]\n");
        Files.setPosixFilePermissions(registry, Set.of());
        boolean root = Files.getAttribute(folder, "unix:uid").equals(0);
        assumeTrue(!root || Shell.has("setpriv"), "skipped: needs setpriv, for root may look into everything");
        String may = root ? "setpriv --bounding-set -dac_override,-dac_read_search " : "";
        String up = may + "'" + String.join("' '", NodeProcess.java()) + "' up --port-base 0; echo code $?";
        try {
            assertThat(new Shell(folder).run(Duration.ofMinutes(1), up))
                    .contains(registry + " belongs to ", "may not look inside", "chown -R", "code 2");
            assertThat(new Shell(folder).run(Duration.ofMinutes(1), up.replace("' up ", "' check ")))
                    .containsPattern("bad +registry +this account may not look into");
        } finally {
            Files.setPosixFilePermissions(registry, PosixFilePermissions.fromString("rwx------"));
        }
    }

    // the registry's folder is lost whole | the witness is there  ->  no second log begins under the same name
    @Test
    void aLogThatIsGoneWholeEndsTheStartWith74() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
        Files.move(folder.resolve("data/registry"), folder.resolve("lost"));
        isRolledBack();
        Files.writeString(
                folder.resolve("ron.toml"), "[passport.kms]\npassphrase_file = \"data/passport/passphrase\"\n");
        isRolledBack();
    }

    private void isRolledBack() {
        try (NodeProcess node = NodeProcess.start(folder, "up", "--port-base", "0")) {
            assertThat(node.exitCode()).as(node.err()).isEqualTo(ExitCode.ROLLBACK.code());
            assertThat(node.err()).contains("there is no log, but there was one before", "registry.head");
        }
    }
}
