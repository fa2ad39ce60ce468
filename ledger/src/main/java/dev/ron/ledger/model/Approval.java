package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.sign.Algorithm;
import dev.ron.ledger.sign.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A signed statement: one signature for each of the signer's keys, in the order of their ids; written once. */
public final class Approval {
    private static final int MAX_SIGNATURES = 4;

    private final Statement statement;
    private final List<KeySignature> signatures;
    private final byte[] bytes;

    /** A signature and the key it claims; the text form keeps equality by value. */
    public record KeySignature(Algorithm algo, B3 keyId, String sig) {
        static KeySignature fromJson(Json value, String what) throws Refused {
            Fields fields = Fields.of(value, what);
            Algorithm algo = fields.one("algo", Algorithm::fromJson);
            B3 keyId = fields.one("key_id", B3::fromJson);
            String sig = fields.string("sig");
            int length = StrictBase64.decode(sig, algo.signatureBytes(), what + ".sig").length;
            assert length == algo.signatureBytes();
            return fields.build(() -> new KeySignature(algo, keyId, sig));
        }

        public byte[] bytes() {
            return java.util.Base64.getDecoder().decode(sig);
        }

        private void write(CanonicalWriter out) {
            out.put("algo", algo.wire()).put("key_id", keyId.text()).put("sig", sig);
        }
    }

    public Approval(Statement statement, List<KeySignature> signatures) {
        if (signatures.isEmpty() || signatures.size() > MAX_SIGNATURES) {
            throw new IllegalArgumentException(signatures.size() + " signatures (expected: 1.." + MAX_SIGNATURES + ")");
        }
        // Sorted and distinct: one approval has one text, and no key signs twice.
        for (int i = 1; i < signatures.size(); i++) {
            if (signatures
                            .get(i - 1)
                            .keyId
                            .text()
                            .compareTo(signatures.get(i).keyId.text())
                    >= 0) {
                throw new IllegalArgumentException("signatures must be sorted by key_id, each key once");
            }
        }
        this.statement = statement;
        this.signatures = List.copyOf(signatures);
        this.bytes = CanonicalWriter.object(out -> {
            statement.writeHead(out);
            out.putAll("signatures", signatures, (list, signature) -> list.write(signature::write));
            statement.writeTail(out);
        });
    }

    public Statement statement() {
        return statement;
    }

    public List<KeySignature> signatures() {
        return signatures;
    }

    /** The canonical bytes; they must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public static Approval sign(Statement statement, SigningKey... keys) {
        byte[] bytes = statement.signedBytes();
        return new Approval(
                statement,
                Arrays.stream(keys)
                        .map(key -> new KeySignature(
                                key.verifyKey().algorithm(),
                                key.verifyKey().keyId(),
                                StrictBase64.encode(key.sign(bytes))))
                        .sorted(Comparator.comparing(signature -> signature.keyId.text()))
                        .toList());
    }

    public String signerId() {
        return statement.signerId();
    }

    public boolean approves() {
        return statement.decision() == Statement.Decision.APPROVE;
    }

    public boolean hasSignatureOf(B3 keyId) {
        return signatures.stream().anyMatch(signature -> signature.keyId.equals(keyId));
    }

    public static Approval fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        Statement statement = Statement.take(fields);
        List<KeySignature> signatures = fields.list("signatures", MAX_SIGNATURES, KeySignature::fromJson);
        return fields.build(() -> new Approval(statement, signatures));
    }

    public Json.Obj toJson() {
        return CanonicalJson.object(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Approval approval && Arrays.equals(bytes, approval.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
