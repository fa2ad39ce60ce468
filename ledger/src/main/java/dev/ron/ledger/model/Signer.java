package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.sign.Algorithm;
import dev.ron.ledger.sign.VerifyKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A person or machine that may approve, with one key per algorithm; revoked signers stay listed. */
public record Signer(String signerId, String org, List<VerifyKey> keys, OptionalLong revokedAtVersion) {
    public Signer {
        Grammar.ORG.require(org);
        Grammar.SIGNER.require(signerId);
        // The org is counted towards min_orgs, so the name a reader sees must not claim another one.
        if (!signerId.startsWith("org:" + org + "#")) {
            throw new IllegalArgumentException("signer id " + signerId + " does not belong to org " + org);
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("signer " + signerId + " has no key");
        }
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i - 1).algorithm().compareTo(keys.get(i).algorithm()) >= 0) {
                throw new IllegalArgumentException(
                        "signer " + signerId + ": keys must be one per algorithm, ed25519 first");
            }
        }
        revokedAtVersion.ifPresent(version -> Grammar.requireNatural("revoked_at_version", version));
        keys = List.copyOf(keys);
    }

    public static Signer active(String signerId, String org, VerifyKey... keys) {
        return new Signer(signerId, org, List.of(keys), OptionalLong.empty());
    }

    public Signer revokedAt(long version) {
        return new Signer(signerId, org, keys, OptionalLong.of(version));
    }

    public boolean isActive() {
        return revokedAtVersion.isEmpty();
    }

    public boolean isPostQuantum() {
        return keys.stream().anyMatch(key -> key.algorithm().postQuantum());
    }

    public Optional<VerifyKey> key(B3 keyId) {
        return keys.stream().filter(key -> key.keyId().equals(keyId)).findFirst();
    }

    static Signer fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        String signerId = fields.string("signer_id");
        String org = fields.string("org");
        List<VerifyKey> keys = fields.list("keys", Algorithm.values().length, Signer::keyFromJson);
        OptionalLong revokedAt = fields.optionalInteger("revoked_at_version", 1, Json.MAX_INTEGER);
        String status = fields.string("status");
        if (!status.equals(revokedAt.isPresent() ? "revoked" : "active")) {
            throw fields.wrong("status", "must be active, or revoked with revoked_at_version");
        }
        return fields.build(() -> new Signer(signerId, org, keys, revokedAt));
    }

    private static VerifyKey keyFromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        Algorithm algorithm = fields.one("algo", Algorithm::fromJson);
        B3 keyId = fields.one("key_id", B3::fromJson);
        byte[] bytes = StrictBase64.decode(fields.string("public_key"), algorithm.keyBytes(), what + ".public_key");
        VerifyKey key = VerifyKey.of(algorithm, bytes, what + ".public_key");
        key.keyId().expect(keyId, Reason.MALFORMED, what + ".key_id");
        return fields.build(() -> key);
    }

    Json toJson() {
        return new ObjWriter()
                .put("signer_id", signerId)
                .put("org", org)
                .put("status", isActive() ? "active" : "revoked")
                .putIf("revoked_at_version", revokedAtVersion)
                .putAll(
                        "keys",
                        keys,
                        key -> new ObjWriter()
                                .put("algo", key.algorithm().wire())
                                .put("key_id", key.keyId().toJson())
                                .put("public_key", StrictBase64.encode(key.bytes()))
                                .end())
                .end();
    }
}
