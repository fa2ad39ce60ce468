package dev.ron.node.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.Stop;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    // /var/lib/ron is a link where systemd makes the account; a log may lie on another disk
    @Test
    void whatIsReachedByALinkIsKeptToo() throws IOException {
        Path elsewhere = Files.createDirectories(temp.resolve("disk2/registry"));
        Files.writeString(elsewhere.resolve("log"), "entries");
        Files.createSymbolicLink(folder.resolve("registry"), elsewhere);
        Path link = Files.createSymbolicLink(temp.resolve("ron"), folder);
        try (DataFolder open = DataFolder.open(link)) {
            assertThat(Backup.write(open, temp.resolve("linked.zip")).files()).isEqualTo(3);
        }
        Path back = temp.resolve("back");
        Backup.restore(temp.resolve("linked.zip"), back);
        assertThat(back.resolve("passport/keys/k1")).hasContent(SECRET);
        assertThat(back.resolve("registry/log")).hasContent("entries");
    }

    @Test
    void whatCannotBeKeptFailsTheBackup() throws IOException {
        Files.createSymbolicLink(folder.resolve("registry"), temp.resolve("nowhere"));
        try (DataFolder open = DataFolder.open(folder)) {
            assertThatThrownBy(() -> Backup.write(open, temp.resolve("no.zip"))).hasMessageContaining("registry");
        }
        assertThat(temp.resolve("no.zip")).doesNotExist();
    }

    // it would read itself while it grows, and what does not compress would have no end
    @Test
    @Timeout(60)
    void aBackupDoesNotHoldItself() throws IOException {
        Path inside = folder.resolve("passport/b.zip");
        try (DataFolder open = DataFolder.open(folder)) {
            assertThatThrownBy(() -> Backup.write(open, inside)).hasMessageContaining("inside of the folder");
        }
        assertThat(inside).doesNotExist();
    }

    @Test
    void anythingInTheWayIsLeftAlone() {
        assertThatThrownBy(() -> Backup.restore(file, folder)).hasMessageContaining("not empty");
        assertThat(folder.resolve("passport/keys/k1")).hasContent(SECRET);
    }

    // A volume's root: nothing can be made beside it, it cannot be replaced, and the file system put something into it.
    @Test
    void anEmptyFolderIsFilledWhereItIs() throws IOException {
        Path volume = Files.createDirectories(temp.resolve("volumes/1"));
        Files.createDirectory(volume.resolve("lost+found"));
        Object before = Files.readAttributes(volume, BasicFileAttributes.class).fileKey();
        Backup.restore(file, volume);
        assertThat(Files.readAttributes(volume, BasicFileAttributes.class).fileKey())
                .isEqualTo(before);
        assertThat(volume.resolve("passport/keys/k1")).hasContent(SECRET);
        assertThat(volume.resolve("lost+found")).isDirectory();
        assertThat(volume.resolve(".restoring")).doesNotExist();
    }

    @Test
    void aLinkToAnEmptyFolderStaysALink() throws IOException {
        Path real = Files.createDirectories(temp.resolve("private/ron"));
        Path link = Files.createSymbolicLink(temp.resolve("ron"), real);
        Backup.restore(file, link);
        assertThat(link).isSymbolicLink();
        assertThat(real.resolve("passport/keys/k1")).hasContent(SECRET);
    }

    @Test
    void whatRootBringsBackBelongsToTheOwnerOfTheFolder() throws IOException {
        assumeTrue(Files.getAttribute(temp, "unix:uid").equals(0), "skipped: only root can give files away");
        Path state = Files.createDirectories(temp.resolve("state"));
        Files.setAttribute(state, "unix:uid", 65_532);
        Files.setAttribute(state, "unix:gid", 65_533);
        Backup.restore(file, state);
        try (Stream<Path> all = Files.walk(state)) {
            for (Path path : all.toList()) {
                assertThat(Files.getAttribute(path, "unix:uid")).as("%s", path).isEqualTo(65_532);
                assertThat(Files.getAttribute(path, "unix:gid")).as("%s", path).isEqualTo(65_533);
            }
        }
    }

    @Test
    void aRefusedBackupLeavesAnEmptyFolderEmpty() throws IOException {
        Path volume = Files.createDirectories(temp.resolve("volume"));
        flip(45); // in the bytes of the first file
        assertThatThrownBy(() -> Backup.restore(file, volume)).isInstanceOf(IOException.class);
        try (Stream<Path> left = Files.list(volume)) {
            assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactly("ron.lock");
        }
    }

    // restore | end of the process, half of the files placed  ->  nobody opens the folder, another restore does
    @Test
    void aRestoreThatWasCutOffIsNoDataFolderAndCanBeRepeated() throws IOException {
        Path cut = Files.createDirectories(temp.resolve("cut"));
        Files.createDirectories(cut.resolve(".restoring/passport/keys"));
        Files.writeString(cut.resolve(".restoring/passport/keys/k1"), "half");
        Files.writeString(cut.resolve("operator.token"), "of an older backup");
        assertThatThrownBy(() -> DataFolder.open(cut))
                .isInstanceOf(Stop.class)
                .hasMessageContaining("not whole")
                .hasMessageContaining("ron restore FILE --data " + cut);
        Backup.restore(file, cut);
        assertThat(cut.resolve("passport/keys/k1")).hasContent(SECRET);
        assertThat(cut.resolve("operator.token")).hasContent("x");
        DataFolder.open(cut).close();
    }

    // restore | a node that starts in the folder  ->  one of them
    @Test
    void aFolderInUseIsNotFilled() throws IOException {
        Path used = temp.resolve("used");
        try (DataFolder node = DataFolder.open(used)) {
            assertThatThrownBy(() -> Backup.restore(file, used))
                    .isInstanceOf(Stop.class)
                    .hasMessageContaining("in use");
            assertThat(node.root().resolve("passport")).doesNotExist();
        }
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
