package dev.ron.node.cert;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.IPAddress;

/** A certificate authority for one developer: P-256 keys, and nothing that a production authority would need. */
final class DevAuthority {
    private static final String NAME = "CN=RON development CA";
    private static final AlgorithmIdentifier ECDSA = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    private static final Duration BACK = Duration.ofHours(1); // for a peer whose clock is late
    private static final Duration LIFE = Duration.ofDays(397); // browsers take no longer one
    private static final Duration OWN_LIFE = Duration.ofDays(3650);

    private final PrivateKey key;
    private final Instant now;
    private final SecureRandom random = new SecureRandom();

    DevAuthority(PrivateKey key, Instant now) {
        this.key = key;
        this.now = now;
    }

    static KeyPair newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** Its own certificate, DER. */
    byte[] root(KeyPair own) throws IOException, GeneralSecurityException {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
        extensions.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return certificate(NAME, own, OWN_LIFE, extensions);
    }

    /** A certificate for hosts, names or addresses, DER. */
    byte[] server(KeyPair own, List<String> hosts) throws IOException, GeneralSecurityException {
        ExtensionsGenerator extensions = leaf(KeyPurposeId.id_kp_serverAuth);
        GeneralName[] names = hosts.stream()
                .map(host ->
                        new GeneralName(IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        extensions.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        return certificate("CN=" + hosts.getFirst(), own, LIFE, extensions);
    }

    /** A certificate by which a client says who it is, DER. */
    byte[] client(KeyPair own, String name) throws IOException, GeneralSecurityException {
        return certificate("CN=" + name, own, LIFE, leaf(KeyPurposeId.id_kp_clientAuth));
    }

    private static ExtensionsGenerator leaf(KeyPurposeId purpose) throws IOException {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        extensions.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        extensions.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
        return extensions;
    }

    private byte[] certificate(String subject, KeyPair own, Duration life, ExtensionsGenerator extensions)
            throws IOException, GeneralSecurityException {
        V3TBSCertificateGenerator body = new V3TBSCertificateGenerator();
        body.setSerialNumber(new ASN1Integer(new BigInteger(127, random).setBit(126)));
        body.setSignature(ECDSA);
        body.setIssuer(new X500Name(NAME));
        body.setSubject(new X500Name(subject));
        body.setStartDate(new Time(Date.from(now.minus(BACK))));
        body.setEndDate(new Time(Date.from(now.plus(life))));
        body.setSubjectPublicKeyInfo(
                SubjectPublicKeyInfo.getInstance(own.getPublic().getEncoded()));
        body.setExtensions(extensions.generate());
        byte[] encoded = body.generateTBSCertificate().getEncoded();
        Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(key);
        signer.update(encoded);
        ASN1EncodableVector parts = new ASN1EncodableVector();
        parts.add(body.generateTBSCertificate());
        parts.add(ECDSA);
        parts.add(new DERBitString(signer.sign()));
        return new DERSequence(parts).getEncoded();
    }
}
