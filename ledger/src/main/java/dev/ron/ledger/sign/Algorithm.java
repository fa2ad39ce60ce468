package dev.ron.ledger.sign;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;

/** The signature schemes a signer's key may have. */
public enum Algorithm {
    ED25519("ed25519", 1, 32, 64, false),
    ML_DSA_65("ml-dsa-65", 2, 1952, 3309, true);

    private final String wire;
    private final int code;
    private final int keyBytes;
    private final int signatureBytes;
    private final boolean postQuantum;

    Algorithm(String wire, int code, int keyBytes, int signatureBytes, boolean postQuantum) {
        this.wire = wire;
        this.code = code;
        this.keyBytes = keyBytes;
        this.signatureBytes = signatureBytes;
        this.postQuantum = postQuantum;
    }

    public static Algorithm fromJson(Json value, String what) throws Refused {
        String text = Fields.string(value, what);
        return Fields.checked(what, () -> of(text));
    }

    private static Algorithm of(String text) {
        for (Algorithm algorithm : values()) {
            if (algorithm.wire.equals(text)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException(Quoted.of(text) + " (expected: ed25519 or ml-dsa-65)");
    }

    public String wire() {
        return wire;
    }

    /** The byte put before the key when a key id is hashed; never reused for another scheme. */
    public int code() {
        return code;
    }

    public int keyBytes() {
        return keyBytes;
    }

    public int signatureBytes() {
        return signatureBytes;
    }

    public boolean postQuantum() {
        return postQuantum;
    }
}
