package dev.ron.ledger.sign;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** An ML-DSA-65 public key (FIPS 204) with the JDK's verification. */
public final class MlDsaKey implements VerifyKey {
    static final String JDK_NAME = "ML-DSA-65";

    // SubjectPublicKeyInfo up to the raw key: the JDK reads no raw form.
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("308207b2300b0609608648016503040312038207a100");

    private final byte[] bytes;
    private final PublicKey key;
    private final B3 keyId;

    private MlDsaKey(byte[] bytes, PublicKey key) {
        this.bytes = bytes;
        this.key = key;
        this.keyId = VerifyKey.keyId(Algorithm.ML_DSA_65, bytes);
    }

    public static MlDsaKey of(byte[] raw, String what) throws Refused {
        if (raw.length != Algorithm.ML_DSA_65.keyBytes()) {
            throw new Refused(Reason.MALFORMED, what + ": " + raw.length + " bytes (expected: 1952)");
        }
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + raw.length);
        System.arraycopy(raw, 0, encoded, X509_PREFIX.length, raw.length);
        try {
            PublicKey key = KeyFactory.getInstance(JDK_NAME).generatePublic(new X509EncodedKeySpec(encoded));
            return new MlDsaKey(raw.clone(), key);
        } catch (GeneralSecurityException _) {
            throw new Refused(Reason.WEAK_KEY, what + ": not an ML-DSA-65 key");
        }
    }

    static MlDsaKey derived(PublicKey key) {
        byte[] encoded = key.getEncoded();
        byte[] raw = Arrays.copyOfRange(encoded, X509_PREFIX.length, encoded.length);
        if (raw.length != Algorithm.ML_DSA_65.keyBytes()) {
            throw new IllegalArgumentException("not an ML-DSA-65 key");
        }
        return new MlDsaKey(raw, key);
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.ML_DSA_65;
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
        if (signature.length != Algorithm.ML_DSA_65.signatureBytes()) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance(JDK_NAME);
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MlDsaKey mlDsa && Arrays.equals(bytes, mlDsa.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ml-dsa-65 " + keyId;
    }
}
