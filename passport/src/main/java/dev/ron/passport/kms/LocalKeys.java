package dev.ron.passport.kms;

import dev.ron.token.crypto.Signatures;
import dev.ron.token.crypto.Signer;
import dev.ron.token.keys.Purpose;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Signing keys made ready, the one in use per purpose: with the next key its predecessor is forgotten. */
final class LocalKeys {
    private final Signatures signatures;
    private final Map<Purpose, Ready> inUse = new ConcurrentHashMap<>();

    private record Ready(String kid, Signer signer) {}

    LocalKeys(Signatures signatures) {
        this.signatures = signatures;
    }

    Signer signer(KmsKey key) {
        Ready ready = inUse.get(key.purpose());
        if (ready == null || !ready.kid().equals(key.kid())) {
            ready = new Ready(key.kid(), key.secret().use(signatures::signer));
            inUse.put(key.purpose(), ready);
        }
        return ready.signer();
    }
}
