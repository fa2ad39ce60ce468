package dev.ron.token.crypto;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An ML-DSA-65 public key (FIPS 204, JDK provider), and the check of a signature under it. */
public final class MlDsaKey implements VerifyingKey {
    public static final String ALG = "ML-DSA-65";
    public static final int SIZE = 1952;
    public static final int SIGNATURE_SIZE = 3309;

    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("308207b2300b0609608648016503040312038207a100");

    private final byte[] bytes;
    private final PublicKey key;
    /** Computed when first asked for; threads that race compute the same text. */
    private @Nullable String thumbprint;

    private MlDsaKey(byte[] bytes, PublicKey key) {
        this.bytes = bytes;
        this.key = key;
    }

    public static MlDsaKey of(byte[] raw) throws Refused {
        if (raw.length != SIZE) {
            throw new Refused(Reason.MALFORMED, "ML-DSA-65 key must have 1952 bytes, has " + raw.length);
        }
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + SIZE);
        System.arraycopy(raw, 0, encoded, X509_PREFIX.length, SIZE);
        try {
            return new MlDsaKey(
                    raw.clone(), KeyFactory.getInstance(ALG).generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (GeneralSecurityException _) {
            throw new Refused(Reason.MALFORMED, "not an ML-DSA-65 key");
        }
    }

    /** Takes the raw key out of a JDK key, as key stores hold it. */
    public static MlDsaKey of(PublicKey key) throws Refused {
        byte[] encoded = key.getEncoded();
        if (encoded.length != X509_PREFIX.length + SIZE
                || !Arrays.equals(encoded, 0, X509_PREFIX.length, X509_PREFIX, 0, X509_PREFIX.length)) {
            throw new Refused(Reason.MALFORMED, "not an ML-DSA-65 key");
        }
        return of(Arrays.copyOfRange(encoded, X509_PREFIX.length, encoded.length));
    }

    public boolean verify(byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_SIZE) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance(ALG);
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException _) {
            return false;
        }
    }

    public String encoded() {
        return Base64Url.encode(bytes);
    }

    @Override
    public String thumbprint() {
        String known = thumbprint;
        if (known == null) {
            String jwk = "{\"alg\":\"ML-DSA-65\",\"kty\":\"AKP\",\"pub\":\"" + encoded() + "\"}";
            known = Base64Url.encode(Sha256.of(jwk.getBytes(StandardCharsets.US_ASCII)));
            thumbprint = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof MlDsaKey mlDsa && Arrays.equals(bytes, mlDsa.bytes));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ML-DSA-65 " + kid();
    }
}
