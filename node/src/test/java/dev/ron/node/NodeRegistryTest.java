package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.cli.Ron;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Ron.Said done = Ron.ron("registry", "accept-rollback", "--data", data, "--yes");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out()).contains("/restored/", "genesis b3:");
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
}
