package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.ExitCode;
import dev.ron.node.cli.Ron.Said;
import dev.ron.node.data.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about a stopped node's folder take the one that the node would: that of the configuration. */
final class ConfiguredFolderTest {
    @TempDir
    Path temp;

    private Path data;
    private String config;
    private Path file;

    @BeforeEach
    void configure() throws IOException {
        data = temp.resolve("srv/ron");
        file = temp.resolve("b.zip");
        config = Files.writeString(temp.resolve("ron.toml"), "[node]\ndata = \"" + data + "\"\n")
                .toString();
    }

    @Test
    void aBackupIsOfTheConfiguredFolderAndComesBackToIt() throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("operator.token"), "x");
        Said kept = ron("backup", file.toString(), "--config", config);
        assertThat(kept.code()).as(kept.err()).isZero();
        assertThat(kept.out()).contains("kept 1 files", data.toString(), file.toString());
        DataFolder.delete(data);
        Said back = ron("restore", file.toString(), "--config", config);
        assertThat(back.code()).as(back.err()).isZero();
        assertThat(back.out()).contains(data.toString());
        assertThat(data.resolve("operator.token")).hasContent("x");
        Said named = ron(
                "restore",
                file.toString(),
                "--config",
                config,
                "--data",
                temp.resolve("other").toString());
        assertThat(named.code()).as(named.err()).isZero();
        assertThat(temp.resolve("other/operator.token")).hasContent("x");
    }

    @Test
    void aLogIsBegunInTheConfiguredFolderWhileNoNodeUsesIt() throws IOException {
        Files.writeString(temp.resolve("pass"), "correct horse\n");
        String[] init = {
            "registry",
            "init",
            "--config",
            config,
            "--keys",
            temp.resolve("k").toString(),
            "--passphrase-file",
            temp.resolve("pass").toString(),
            "--origin",
            "example.org/registry",
            "--signer",
            "org:a#one",
            "-m",
            "1"
        };
        DataFolder node = DataFolder.open(data);
        assertThat(ron(init).code()).isEqualTo(ExitCode.LOCKED.code());
        assertThat(temp.resolve("k")).as("no key is made for a log that is not").doesNotExist();
        node.close();
        Said made = ron(init);
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.out()).contains("in " + data.resolve("registry"));
        assertThat(data.resolve("registry/log")).isDirectory();
    }
}
