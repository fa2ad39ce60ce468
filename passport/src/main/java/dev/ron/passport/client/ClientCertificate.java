package dev.ron.passport.client;

import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;

/** A client known by the certificate it shows in the handshake: found by the start of its SHA-256, compared whole. */
public final class ClientCertificate {
    private static final String PREFIX = "x5t.";
    private static final int PREFIX_CHARS = 16;

    private ClientCertificate() {}

    /** The {@code x5t#S256} of RFC 8705: SHA-256 of the certificate, base64url. */
    public static String thumbprint(X509Certificate certificate) {
        try {
            return Base64Url.encode(Sha256.of(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate that came through a handshake has an encoding", e);
        }
    }

    /** What its client is filed under; no prefix of a key has a dot. */
    public static String prefix(String thumbprint) {
        return PREFIX + thumbprint.substring(0, PREFIX_CHARS);
    }

    /** The client whose certificate this is. */
    public static Optional<Client> owner(String thumbprint, Map<String, Client> byPrefix) {
        return Optional.ofNullable(byPrefix.get(prefix(thumbprint)))
                .filter(client -> Sha256.same(client.keyHash(), thumbprint));
    }
}
