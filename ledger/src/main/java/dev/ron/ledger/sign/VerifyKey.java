package dev.ron.ledger.sign;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;

/** A public key admitted for verification; its id is its own hash, so one key can never appear under two ids. */
public sealed interface VerifyKey permits Ed25519Key, MlDsaKey {
    Algorithm algorithm();

    byte[] bytes();

    /** False for a signature of the wrong length, a malformed one, or one that does not match; never throws. */
    boolean verify(byte[] message, byte[] signature);

    B3 keyId();

    static VerifyKey of(Algorithm algorithm, byte[] bytes, String what) throws Refused {
        return switch (algorithm) {
            case ED25519 -> Ed25519Key.of(bytes, what);
            case ML_DSA_65 -> MlDsaKey.of(bytes, what);
        };
    }

    /** The algorithm is part of the id, so the same bytes under two schemes are two keys. */
    static B3 keyId(Algorithm algorithm, byte[] key) {
        byte[] preimage = new byte[1 + key.length];
        preimage[0] = (byte) algorithm.code();
        System.arraycopy(key, 0, preimage, 1, key.length);
        return B3.of(preimage);
    }
}
