package dev.ron.node.cert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.TlsIdentity;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevCertificatesTest {
    @TempDir
    Path folder;

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    @Test
    void theAuthorityIsMadeOnceAndSignsWhatIsMadeLater() throws Exception {
        DevCertificates files = new DevCertificates(folder, Instant.now());
        files.server(List.of("localhost", "127.0.0.1", "::1"));
        X509Certificate root = read(files.authority());
        X509Certificate first = read(files.certificate());
        files.server(List.of("localhost"));
        files.client("alice");
        assertThat(read(files.authority())).isEqualTo(root);
        assertThat(read(files.certificate())).isNotEqualTo(first);
        for (X509Certificate signed : List.of(root, first, read(folder.resolve("alice.pem")))) {
            signed.verify(root.getPublicKey());
        }
        assertThat(first.getSubjectAlternativeNames()).hasSize(3);
        assertThat(first.getBasicConstraints()).isEqualTo(-1);
        assertThat(root.getBasicConstraints()).isZero();
        assertThat(TlsIdentity.load(files.certificate(), files.key()).expires())
                .isAfter(Instant.now().plus(Duration.ofDays(300)));
    }

    @Test
    void nobodyElseMayReadAKey() throws Exception {
        DevCertificates files = new DevCertificates(folder, Instant.now());
        files.server(List.of("localhost"));
        for (Path key : List.of(files.key(), folder.resolve("ca.key"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                    .isEqualTo("rw-------");
        }
    }
}
