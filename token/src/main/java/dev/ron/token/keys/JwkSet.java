package dev.ron.token.keys;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A JWK set document: ours carries the epoch and the floor as well.
 *
 * @param pqRequired whether the issuer co-signs everything, so that a token without it is none of its
 */
public record JwkSet(List<Jwk> keys, long epoch, long floor, boolean pqRequired) {
    public static final int MAX_BYTES = 256 * 1024;
    public static final int MAX_KEYS = 64;

    private static final long MAX = (1L << 53) - 1;

    /** Reads a set of our own or of another issuer; entries that cannot be used are left out. */
    public static JwkSet parse(byte[] document) throws Refused {
        Members members = new Members(StrictJson.FOREIGN.object(document, MAX_BYTES, "JWK set"), "JWK set");
        List<Jwk> keys = new ArrayList<>();
        for (Json entry : members.array("keys", 0, MAX_KEYS)) {
            if (!(entry instanceof Json.Obj object)) {
                throw new Refused(Reason.MALFORMED, "JWK must be an object");
            }
            try {
                Jwk.parse(object).ifPresent(keys::add);
            } catch (Refused _) {
                // One bad entry of a large provider must not take its good keys away; the key stays unknown.
            }
        }
        return new JwkSet(
                List.copyOf(keys),
                members.optionalInteger("epoch", 0, MAX).orElse(0),
                members.optionalInteger("floor", 0, MAX).orElse(0),
                members.any("pq_required").equals(Optional.of(new Json.Bool(true))));
    }

    /**
     * The keys of a set of our own: only those whose purpose is stated, whose id is their thumbprint, and which are
     * listed once, since a key with two purposes has none.
     */
    public List<TokenKey> tokenKeys() {
        Map<VerifyingKey, Long> listed = keys.stream().collect(Collectors.groupingBy(Jwk::key, Collectors.counting()));
        return keys.stream()
                .filter(jwk -> jwk.purpose().isPresent()
                        && jwk.kid().equals(Optional.of(jwk.key().kid()))
                        && listed.getOrDefault(jwk.key(), 0L) == 1)
                .map(jwk -> new TokenKey(jwk.purpose().orElseThrow(), KeyStatus.ACTIVE, jwk.key()))
                .toList();
    }

    /** Writes the published keys: announced, active and retiring ones. Equal input gives equal bytes, for the ETag. */
    public static String write(List<TokenKey> keys, long epoch, long floor) {
        return write(keys, epoch, floor, false, "EdDSA");
    }

    /** @param plain what Ed25519 is called in the headers of plain JWTs */
    public static String write(List<TokenKey> keys, long epoch, long floor, boolean pqRequired, String plain) {
        List<Json> entries = keys.stream()
                .filter(key -> key.status().verifies())
                .map(key -> Jwk.toJson(key, plain))
                .toList();
        Map<String, Json> members = new HashMap<>();
        members.put("keys", new Json.Arr(entries));
        members.put("epoch", new Json.Int(epoch));
        members.put("floor", new Json.Int(floor));
        if (pqRequired) {
            members.put("pq_required", new Json.Bool(true));
        }
        return CanonicalJson.write(new Json.Obj(members));
    }
}
