package dev.ron.token.keys;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a verifier knows about one issuer. */
public final class IssuerState {
    private final String iss;
    private final Map<String, TokenKey> keys;
    private final Revocations revocations;
    private final Tenants tenants;

    private IssuerState(String iss, Map<String, TokenKey> keys, Revocations revocations, Tenants tenants) {
        this.iss = iss;
        this.keys = keys;
        this.revocations = revocations;
        this.tenants = tenants;
    }

    public static IssuerState of(String iss, List<TokenKey> keys, Revocations revocations, Tenants tenants) {
        Map<String, TokenKey> byKid = new HashMap<>();
        for (TokenKey key : keys) {
            if (byKid.put(key.kid(), key) != null) {
                throw new IllegalArgumentException("kid " + key.kid() + " twice for issuer " + iss);
            }
        }
        return new IssuerState(iss, Map.copyOf(byKid), revocations, tenants);
    }

    public IssuerState withRevocations(Revocations newer) {
        return new IssuerState(iss, keys, newer, tenants);
    }

    public IssuerState withKeys(List<TokenKey> newer) {
        return of(iss, newer, revocations, tenants);
    }

    public String iss() {
        return iss;
    }

    /** The key of that id, if it is there for this purpose; a key is never used for another. */
    public Optional<TokenKey> key(String kid, Purpose purpose) {
        return Optional.ofNullable(keys.get(kid)).filter(key -> key.purpose() == purpose);
    }

    public Revocations revocations() {
        return revocations;
    }

    public Tenants tenants() {
        return tenants;
    }
}
