package dev.ron.passport.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.passport.kms.CannotOpen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("audit.log");
    }

    private static AuditEvent event(String id) {
        return new AuditEvent("issue", "ci", "corr", Map.of("jti", id));
    }

    private void write(String... ids) throws IOException {
        try (AuditFile audit = new AuditFile(file, 1 << 20, 2)) {
            for (String id : ids) {
                audit.append(List.of(event(id)), 1_760_000_000_000L, false);
            }
        }
    }

    @Test
    void theChainGoesOnAcrossStartsAndATornLineIsTakenOff() throws IOException {
        write("a", "b");
        Files.writeString(file, "{\"action\":\"iss", StandardOpenOption.APPEND);
        write("c");
        assertThat(AuditFile.verify(file)).isEqualTo(3);
        assertThat(Files.readAllLines(file).getLast()).contains("\"jti\":\"c\"", "\"seq\":3");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    // a file larger than any array, most of it a hole  ->  what counts is its last line
    @Test
    void aFileOfAnySizeGoesOnAfterItsLastLine() throws IOException {
        write("a");
        byte[] line = Files.readAllBytes(file);
        long far = 3L << 30;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}), far);
            channel.write(ByteBuffer.wrap(line), far + 1);
        }
        Files.writeString(file, "{\"action\":\"iss", StandardOpenOption.APPEND);
        assertThat(AuditFile.isTorn(file)).isTrue();
        new AuditFile(file, Long.MAX_VALUE, 2).close();
        assertThat(Files.size(file)).isEqualTo(far + 1 + line.length);
        assertThat(AuditFile.isTorn(file)).isFalse();
    }

    @Test
    void whatDoesNotEndInALineIsLeftAsItIs() throws IOException {
        write("a");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[1]), 64 << 20);
        }
        assertThatThrownBy(() -> write("b")).isInstanceOf(CannotOpen.class).hasMessageContaining("does not end");
        assertThat(Files.size(file)).isEqualTo((64 << 20) + 1);
    }

    @Test
    void aLineThatWasChangedTakenOutOrMovedIsSeen() throws IOException {
        write("a", "b", "c");
        List<String> lines = Files.readAllLines(file);
        Files.write(file, List.of(lines.get(0), lines.get(1).replace("\"b\"", "\"x\""), lines.get(2)));
        assertBroken(3);
        Files.write(file, List.of(lines.get(0), lines.get(2)));
        assertBroken(2);
        Files.write(file, List.of(lines.get(1), lines.get(0), lines.get(2)));
        assertBroken(2);
        Files.write(file, lines);
        assertThat(AuditFile.verify(file)).isEqualTo(3);
    }

    private void assertBroken(int line) {
        assertThatThrownBy(() -> AuditFile.verify(file))
                .isInstanceOf(CannotOpen.class)
                .hasMessageContaining("line " + line + " does not follow");
    }

    @Test
    void aFullFileMovesAsideAndTheOldestGoes() throws IOException {
        try (AuditFile audit = new AuditFile(file, 400, 2)) {
            for (int i = 0; i < 12; i++) {
                audit.append(List.of(event("e" + i)), 1, true);
                audit.moveAsideIfFull();
            }
        }
        assertThat(folder.resolve("audit.log.1")).exists();
        assertThat(folder.resolve("audit.log.2")).exists();
        assertThat(folder.resolve("audit.log.3")).doesNotExist();
        write("next");
        String first = Files.readAllLines(file).getFirst();
        assertThat(first).contains("\"prev\":\"").doesNotContain(AuditFile.NONE);
        assertThat(AuditFile.verify(folder.resolve("audit.log.1"))).isPositive();
    }

    @Test
    void aFileThatOthersCanReadIsRefused() throws IOException {
        write("a");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> write("b")).isInstanceOf(CannotOpen.class).hasMessageContaining("rw-r--r--");
    }
}
