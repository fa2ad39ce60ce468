package dev.ron.passport.kms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
    @TempDir
    Path folder;

    // the name cannot be taken  ->  the old content stays, and nothing beside it
    @Test
    void aReplacementThatFailsLeavesNothingBehind() throws IOException {
        Path name = Files.createDirectory(folder.resolve("name"));
        Files.createFile(name.resolve("in the way"));
        assertThatThrownBy(() -> DurableFile.replace(name, new byte[100])).isInstanceOf(IOException.class);
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(name);
        }
    }
}
