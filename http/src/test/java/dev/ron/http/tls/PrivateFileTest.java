package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who else could read a secret. */
final class PrivateFileTest {
    @TempDir
    Path folder;

    private boolean open(String mode, Map<String, String> environment) throws IOException {
        Path file = folder.resolve("secret");
        Files.deleteIfExists(file);
        Files.writeString(file, "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return PrivateFile.isOpenToOthers(file, environment);
    }

    @Test
    void aFileOfItsOwnerAloneIsPrivate() throws IOException {
        assertThat(open("rw-------", Map.of())).isFalse();
        assertThat(open("r--------", Map.of())).isFalse();
        for (String mode : new String[] {"rw-r-----", "rw--w----", "rw----r--", "rw-----w-"}) {
            assertThat(open(mode, Map.of())).as(mode).isTrue();
        }
    }

    @Test
    void aCredentialOfTheServiceManagerMayShowTheRightOfItsAccessListAsTheGroups() throws IOException {
        Map<String, String> here = Map.of("CREDENTIALS_DIRECTORY", folder.toString());
        Map<String, String> elsewhere = Map.of("CREDENTIALS_DIRECTORY", folder + "-of-another");
        assertThat(open("r--r-----", here)).isFalse();
        assertThat(open("r--r-----", elsewhere)).isTrue();
        assertThat(open("r--r--r--", here)).isTrue();
        assertThat(open("r--rw----", here)).isTrue();
    }
}
