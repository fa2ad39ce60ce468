package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.TestCa;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {
    @TempDir
    Path folder;

    private TestCa ca;
    private TestCa.Pair files;

    @BeforeEach
    void issue() {
        ca = new TestCa(folder);
        files = ca.issue(Duration.ofDays(3), "localhost");
    }

    @Test
    void aFittingPairIsLoaded() {
        TlsIdentity identity = TlsIdentity.load(files.certificates(), files.key());
        assertThat(identity.expires()).isAfter(Instant.now().plus(Duration.ofDays(2)));
        assertThat(identity).hasToString("TlsIdentity[CN=localhost]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw-rw-rw-", "rw---x---"})
    void aKeyThatOthersCanReachIsRefusedWithTheCommandThatHelps(String mode) throws IOException {
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> TlsIdentity.load(files.certificates(), files.key()))
                .isInstanceOf(BadTlsFile.class)
                .hasMessageContaining(mode)
                .hasMessageContaining("chmod 600 " + files.key());
    }

    @Test
    void aReadOnlyKeyIsFine() throws IOException {
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("r--------"));
        assertThat(TlsIdentity.load(files.certificates(), files.key())).isNotNull();
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() {
        Path other = ca.issue("other").key();
        assertThatThrownBy(() -> TlsIdentity.load(files.certificates(), other))
                .isInstanceOf(BadTlsFile.class)
                .hasMessageContaining("does not belong");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----",
                "-----END PRIVATE KEY----------BEGIN PRIVATE KEY-----"
            })
    void unusableFilesAreNamed(String content) throws IOException {
        Files.writeString(files.key(), content);
        assertThatThrownBy(() -> TlsIdentity.load(files.certificates(), files.key()))
                .isInstanceOf(BadTlsFile.class)
                .hasMessageStartingWith(files.key().toString());
        Files.writeString(files.certificates(), content);
        assertThatThrownBy(() -> TlsIdentity.load(files.certificates(), files.key()))
                .isInstanceOf(BadTlsFile.class)
                .hasMessageStartingWith(files.certificates().toString());
    }

    @Test
    void absentFilesAreNamed() {
        Path absent = folder.resolve("absent");
        assertThatThrownBy(() -> TlsIdentity.load(absent, files.key())).isInstanceOf(BadTlsFile.class);
        assertThatThrownBy(() -> TlsIdentity.load(files.certificates(), absent)).isInstanceOf(BadTlsFile.class);
        assertThatThrownBy(() -> TlsIdentity.load(folder, files.key())).isInstanceOf(BadTlsFile.class);
    }
}
