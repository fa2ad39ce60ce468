package dev.ron.http.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** A certificate chain and its private key, checked to belong together. */
public final class TlsIdentity {
    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    /** Loads PEM files; a key file that others may read, or a pair that does not fit, is a {@link BadTlsFile}. */
    public static TlsIdentity load(Path certificates, Path privateKey) {
        List<X509Certificate> chain = Pem.certificates(certificates);
        PrivateKey key = Pem.privateKey(privateKey);
        if (!fits(chain.getFirst().getPublicKey(), key)) {
            throw new BadTlsFile(privateKey, "does not belong to the first certificate in " + certificates);
        }
        return new TlsIdentity(chain, key);
    }

    private static boolean fits(PublicKey publicKey, PrivateKey privateKey) {
        String algorithm = switch (privateKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> privateKey.getAlgorithm();
        };
        try {
            byte[] probe = "probe".getBytes(StandardCharsets.US_ASCII);
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(privateKey);
            signer.update(probe);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(probe);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** When the own certificate ends; the status document shows it. */
    public Instant expires() {
        return chain.getFirst().getNotAfter().toInstant();
    }

    List<X509Certificate> chain() {
        return chain;
    }

    PrivateKey key() {
        return key;
    }

    /** Two identities are the same when they show the same certificates. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TlsIdentity that && chain.equals(that.chain);
    }

    @Override
    public int hashCode() {
        return chain.hashCode();
    }

    @Override
    public String toString() {
        return "TlsIdentity[" + chain.getFirst().getSubjectX500Principal() + "]";
    }
}
