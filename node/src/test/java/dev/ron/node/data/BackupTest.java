package dev.ron.node.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that went into a file comes out of it as it was, or not at all. */
final class BackupTest {
    private static final String SECRET = "0123456789".repeat(50);

    @TempDir
    Path temp;

    private Path folder;
    private Path file;

    @BeforeEach
    void fill() throws IOException {
        folder = temp.resolve("data");
        file = temp.resolve("b.zip");
        Files.createDirectories(folder.resolve("passport/keys"));
        Files.createDirectories(folder.resolve("profiles"));
        Files.writeString(folder.resolve("passport/keys/k1"), SECRET);
        Files.setPosixFilePermissions(folder.resolve("passport/keys/k1"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("operator.token"), "x");
        Files.writeString(folder.resolve("profiles/a.jfr"), "large");
        try (DataFolder open = DataFolder.open(folder)) {
            assertThat(Backup.write(open, file).files()).isEqualTo(2);
        }
    }

    @Test
    void bytesAndModesComeBackAndCachesDoNot() throws IOException {
        Path back = temp.resolve("back");
        Backup.restore(file, back);
        assertThat(back.resolve("passport/keys/k1")).hasContent(SECRET);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(back.resolve("passport/keys/k1"))))
                .isEqualTo("rw-------");
        assertThat(back.resolve("profiles")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void anythingInTheWayIsLeftAlone() {
        assertThatThrownBy(() -> Backup.restore(file, folder)).hasMessageContaining("not empty");
        assertThat(folder.resolve("passport/keys/k1")).hasContent(SECRET);
    }

    /** Whichever byte is changed: the folder that comes back is the one that went in, or none does. */
    @Test
    void aChangedByteIsNeverBroughtBack() throws IOException {
        long size = Files.size(file);
        for (long at = 0; at < size; at += 7) {
            flip(at);
            Path back = temp.resolve("back" + at);
            try {
                Backup.restore(file, back);
                assertThat(back.resolve("passport/keys/k1")).hasContent(SECRET);
                assertThat(back.resolve("operator.token")).hasContent("x");
            } catch (IOException | RuntimeException refused) {
                assertThat(back).doesNotExist();
            }
            flip(at);
        }
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left.filter(path -> path.toString().endsWith(".restoring")))
                    .isEmpty();
        }
    }

    private void flip(long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 0x21);
        }
    }

    @Test
    void aFileThatIsNoBackupSaysSo() throws IOException {
        Path other = temp.resolve("other.zip");
        Files.write(other, "PK".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> Backup.restore(other, temp.resolve("x"))).isInstanceOf(IOException.class);
        assertThat(temp.resolve("x")).doesNotExist();
    }
}
