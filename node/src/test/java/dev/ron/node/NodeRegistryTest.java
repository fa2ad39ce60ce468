package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

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
            assertThat(node.err()).contains("ends at version 1, it was at version 7");
        }
    }
}
