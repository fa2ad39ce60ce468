package dev.ron.token.crypto;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPublicKeySpec;

/** An RSA or P-256 key; only the plain JWT profile uses these, and only when asked to. */
public final class ForeignKey implements VerifyingKey {
    /** Length of one coordinate of a P-256 key. */
    public static final int P256_BYTES = 32;

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 8192;

    /** The key families of {@link ForeignKey}. */
    public enum Family {
        RSA,
        P256
    }

    private final Family family;
    private final PublicKey key;
    private final String thumbprint;

    private ForeignKey(Family family, PublicKey key, String thumbprint) {
        this.family = family;
        this.key = key;
        this.thumbprint = thumbprint;
    }

    public static ForeignKey rsa(String n, String e) throws Refused {
        BigInteger modulus = new BigInteger(1, Base64Url.decode(n, "RSA n"));
        BigInteger exponent = new BigInteger(1, Base64Url.decode(e, "RSA e"));
        int bits = modulus.bitLength();
        if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
            throw new Refused(Reason.WEAK_KEY, "RSA key has " + bits + " bits (expected: 2048..8192)");
        }
        // A large exponent makes each check as slow as a private operation.
        if (exponent.bitLength() < 2 || exponent.bitLength() > 33 || !exponent.testBit(0)) {
            throw new Refused(Reason.WEAK_KEY, "RSA exponent must be odd, above 1 and at most 33 bits long");
        }
        try {
            PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
            return new ForeignKey(Family.RSA, key, digest("{\"e\":\"" + e + "\",\"kty\":\"RSA\",\"n\":\"" + n + "\"}"));
        } catch (GeneralSecurityException _) {
            throw new Refused(Reason.MALFORMED, "not an RSA key");
        }
    }

    public static ForeignKey p256(String x, String y) throws Refused {
        BigInteger px = new BigInteger(1, Base64Url.decode(x, P256_BYTES, "EC x"));
        BigInteger py = new BigInteger(1, Base64Url.decode(y, P256_BYTES, "EC y"));
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec("secp256r1"));
            ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
            requireOnCurve(px, py, curve);
            PublicKey key =
                    KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(px, py), curve));
            return new ForeignKey(
                    Family.P256,
                    key,
                    digest("{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"" + x + "\",\"y\":\"" + y + "\"}"));
        } catch (GeneralSecurityException _) {
            throw new Refused(Reason.MALFORMED, "not a P-256 key");
        }
    }

    public static ForeignKey p256(ECPublicKey key) throws Refused {
        return p256(coordinate(key.getW().getAffineX()), coordinate(key.getW().getAffineY()));
    }

    /** A coordinate at its full length (RFC 7518, 6.2.1.2). */
    private static String coordinate(BigInteger value) {
        byte[] signed = value.toByteArray();
        byte[] full = new byte[P256_BYTES];
        int length = Math.min(signed.length, P256_BYTES);
        System.arraycopy(signed, signed.length - length, full, P256_BYTES - length, length);
        return Base64Url.encode(full);
    }

    /** The first coordinate of a P-256 key. */
    public String x() {
        return coordinate(point().getAffineX());
    }

    /** The second coordinate of a P-256 key. */
    public String y() {
        return coordinate(point().getAffineY());
    }

    private ECPoint point() {
        if (key instanceof ECPublicKey ec) {
            return ec.getW();
        }
        throw new IllegalStateException("an RSA key has no point");
    }

    private static void requireOnCurve(BigInteger x, BigInteger y, ECParameterSpec curve) throws Refused {
        BigInteger p = ((java.security.spec.ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger right = x.pow(3)
                .add(curve.getCurve().getA().multiply(x))
                .add(curve.getCurve().getB());
        boolean inRange = x.compareTo(p) < 0 && y.compareTo(p) < 0;
        if (!inRange || !y.pow(2).subtract(right).mod(p).equals(BigInteger.ZERO)) {
            throw new Refused(Reason.WEAK_KEY, "P-256 key is not on the curve");
        }
    }

    public Family family() {
        return family;
    }

    /** Checks a JWS signature under {@code alg}; false also when the algorithm is not one of this key's family. */
    public boolean verify(String alg, byte[] message, byte[] signature) {
        try {
            Signature verifier = switch (alg) {
                case "RS256" -> Signature.getInstance("SHA256withRSA");
                case "PS256" -> pss();
                case "ES256" -> Signature.getInstance("SHA256withECDSAinP1363Format");
                default -> throw new GeneralSecurityException("no such algorithm");
            };
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException _) {
            return false;
        }
    }

    private static Signature pss() throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        return signature;
    }

    private static String digest(String jwk) {
        return Base64Url.encode(Sha256.of(jwk.getBytes(StandardCharsets.US_ASCII)));
    }

    @Override
    public String thumbprint() {
        return thumbprint;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof ForeignKey foreign && key.equals(foreign.key));
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return family + " " + kid();
    }
}
