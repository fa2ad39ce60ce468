package dev.ron.ledger.sign;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import java.util.Arrays;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * An Ed25519 public key that is canonical and lies in the prime-order subgroup.
 *
 * <p>Libraries differ on odd points and unreduced scalars, and a quorum must be the same number everywhere; so every
 * check in this product goes through this one class and Bouncy Castle. Its verification refuses S >= L and a
 * non-canonical R; admission below refuses the keys for which verifiers disagree. There is no batch verification.
 */
public final class Ed25519Key implements VerifyKey {
    private final byte[] bytes;
    private final B3 keyId;

    private Ed25519Key(byte[] bytes) {
        this.bytes = bytes;
        this.keyId = VerifyKey.keyId(Algorithm.ED25519, bytes);
    }

    public static Ed25519Key of(byte[] encoded, String what) throws Refused {
        if (encoded.length != Ed25519.PUBLIC_KEY_SIZE) {
            throw new Refused(Reason.MALFORMED, what + ": " + encoded.length + " bytes (expected: 32)");
        }
        // Under a small-order key one signature can hold for every message; a mixed-order key verifies or not
        // depending on the library's equation.
        if (!Ed25519.validatePublicKeyFull(encoded, 0)) {
            throw new Refused(Reason.WEAK_KEY, what + ": not a canonical Ed25519 point of prime order; make a new key");
        }
        return new Ed25519Key(encoded.clone());
    }

    /** For a key just derived from a seed, which is of prime order by construction. */
    static Ed25519Key derived(byte[] encoded) {
        return new Ed25519Key(encoded);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.ED25519;
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public B3 keyId() {
        return keyId;
    }

    @Override
    public boolean verify(byte[] message, byte[] signature) {
        return signature.length == Ed25519.SIGNATURE_SIZE
                && Ed25519.verify(signature, 0, bytes, 0, message, 0, message.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ed25519Key key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ed25519 " + keyId;
    }
}
