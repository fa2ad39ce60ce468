package dev.ron.passport.client;

import dev.ron.token.crypto.Sha256;
import java.util.Map;
import java.util.Optional;

/** A client known by the certificate it shows in the handshake: found by the start of its SHA-256, compared whole. */
public final class ClientCertificate {
    private static final String PREFIX = "x5t.";
    private static final int PREFIX_CHARS = 16;

    private ClientCertificate() {}

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
