package dev.ron.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Reads certificates and keys from PEM files. */
final class Pem {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final long MAX_BYTES = 1 << 20;

    private Pem() {}

    static List<X509Certificate> certificates(Path file) {
        try {
            List<X509Certificate> chain =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(read(file)))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (chain.isEmpty()) {
                throw new BadTlsFile(file, "holds no certificate (expected: PEM, the own certificate first)");
            }
            return chain;
        } catch (CertificateException e) {
            throw new BadTlsFile(file, "holds no readable certificate (expected: PEM, the own certificate first)");
        }
    }

    /** The key of a file that only its owner may read. */
    static PrivateKey privateKey(Path file) {
        checkMode(file);
        byte[] text = read(file);
        try {
            String pem = new String(text, StandardCharsets.ISO_8859_1);
            int begin = pem.indexOf(BEGIN);
            int end = pem.indexOf(END);
            if (begin < 0 || end < begin) {
                throw new BadTlsFile(
                        file,
                        "holds no plain PKCS #8 key; convert it with: openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW");
            }
            byte[] der = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
            try {
                return parse(file, der);
            } finally {
                Arrays.fill(der, (byte) 0);
            }
        } catch (IllegalArgumentException e) {
            throw e instanceof BadTlsFile bad ? bad : new BadTlsFile(file, "is not valid Base64");
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    private static PrivateKey parse(Path file, byte[] der) {
        for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException _) {
                // Not of this kind: the next one is tried.
            }
        }
        throw new BadTlsFile(file, "holds a key of unknown kind (expected: EC, RSA or EdDSA)");
    }

    private static void checkMode(Path file) {
        try {
            if (PrivateFile.isOpenToOthers(file)) {
                throw new BadTlsFile(
                        file,
                        "mode " + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                                + " lets others at the key; run: chmod 600 " + file);
            }
        } catch (IOException e) {
            throw new BadTlsFile(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static byte[] read(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                throw new BadTlsFile(file, "is not a file of at most 1 MiB");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new BadTlsFile(file, "cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }
}
