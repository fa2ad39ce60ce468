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
    private final boolean pqRequired;

    private IssuerState(
            String iss, Map<String, TokenKey> keys, Revocations revocations, Tenants tenants, boolean pqRequired) {
        this.iss = iss;
        this.keys = keys;
        this.revocations = revocations;
        this.tenants = tenants;
        this.pqRequired = pqRequired;
    }

    public static IssuerState of(String iss, List<TokenKey> keys, Revocations revocations, Tenants tenants) {
        Map<String, TokenKey> byKid = new HashMap<>();
        for (TokenKey key : keys) {
            if (byKid.put(key.kid(), key) != null) {
                throw new IllegalArgumentException("kid " + key.kid() + " twice for issuer " + iss);
            }
        }
        return new IssuerState(iss, Map.copyOf(byKid), revocations, tenants, false);
    }

    public IssuerState withRevocations(Revocations newer) {
        return new IssuerState(iss, keys, newer, tenants, pqRequired);
    }

    public IssuerState withKeys(JwkSet newer) {
        IssuerState state = of(iss, newer.tokenKeys(), revocations, tenants);
        return new IssuerState(iss, state.keys, revocations, tenants, newer.pqRequired());
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

    /** Whether the issuer co-signs all of its tokens. */
    public boolean pqRequired() {
        return pqRequired;
    }

    public Tenants tenants() {
        return tenants;
    }
}
