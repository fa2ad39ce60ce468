package dev.ron.http.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** A certificate authority for tests; it writes PEM files as a real one would hand them out. */
public final class TestCa {
    private static final AlgorithmIdentifier ECDSA = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

    private final Path folder;
    private final KeyPair key = newKey();
    private final X500Name name = new X500Name("CN=RON test root");

    /** The PEM file of the root. */
    public final Path roots;

    /** The files of a server. */
    public record Pair(Path certificates, Path key) {}

    public TestCa(Path folder) {
        this.folder = folder;
        this.roots = write("root.pem", "CERTIFICATE", certificate(name, key, Duration.ofDays(1)), "rw-r--r--");
    }

    /** A certificate for these host names or addresses. */
    public Pair issue(String... hosts) {
        return issue(Duration.ofDays(1), hosts);
    }

    /** A certificate that ends so far from now (a negative time: it has ended). */
    public Pair issue(Duration life, String... hosts) {
        KeyPair own = newKey();
        String file = hosts[0] + "-" + own.getPublic().hashCode();
        byte[] der = certificate(new X500Name("CN=" + hosts[0]), own, life, hosts);
        return new Pair(
                write(file + ".pem", "CERTIFICATE", der, "rw-r--r--"),
                write(file + ".key", "PRIVATE KEY", own.getPrivate().getEncoded(), "rw-------"));
    }

    private static KeyPair newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] certificate(X500Name subject, KeyPair subjectKey, Duration life, String... hosts) {
        try {
            Instant now = Instant.now();
            V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
            generator.setSerialNumber(new ASN1Integer(BigInteger.valueOf(now.toEpochMilli())));
            generator.setSignature(ECDSA);
            generator.setIssuer(name);
            generator.setSubject(subject);
            generator.setStartDate(new Time(Date.from(now.minus(Duration.ofDays(2)))));
            generator.setEndDate(new Time(Date.from(now.plus(life))));
            generator.setSubjectPublicKeyInfo(
                    SubjectPublicKeyInfo.getInstance(subjectKey.getPublic().getEncoded()));
            ExtensionsGenerator extensions = new ExtensionsGenerator();
            extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(hosts.length == 0));
            if (hosts.length > 0) {
                extensions.addExtension(Extension.subjectAlternativeName, false, names(hosts));
            }
            generator.setExtensions(extensions.generate());
            return signed(generator.generateTBSCertificate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GeneralNames names(String... hosts) {
        GeneralName[] names = new GeneralName[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            boolean address =
                    hosts[i].chars().allMatch(c -> Character.isDigit(c) || c == '.') || hosts[i].contains(":");
            names[i] = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, hosts[i]);
        }
        return new GeneralNames(names);
    }

    private byte[] signed(TBSCertificate body) throws IOException {
        try {
            Signature signer = Signature.getInstance("SHA256withECDSA");
            signer.initSign(key.getPrivate());
            signer.update(body.getEncoded());
            ASN1EncodableVector parts = new ASN1EncodableVector();
            parts.add(body);
            parts.add(ECDSA);
            parts.add(new DERBitString(signer.sign()));
            return new DERSequence(parts).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path write(String file, String label, byte[] der, String mode) {
        try {
            String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
            Path path = folder.resolve(file);
            Files.writeString(path, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
