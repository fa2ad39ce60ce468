package dev.ron.token.crypto;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.jspecify.annotations.Nullable;

/** An Ed25519 public key that is canonical and not of small order. */
public final class Ed25519Key implements VerifyingKey {
    public static final int SIZE = 32;

    // With the sign bit cleared: the y of every point whose order divides 8. Under such a key one signature can hold
    // for
    // every message (identity key, R = identity, S = 0), and providers disagree on refusing them.
    private static final Set<String> SMALL_ORDER = Set.of(
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");

    private final byte[] bytes;
    /** The decoded point, where import had to compute it anyway: it saves Bouncy Castle a square root per check. */
    private final Ed25519.@Nullable PublicPoint point;

    /** What an engine made of an issuer's key; volatile, for it is read by threads that did not make it. */
    private volatile @Nullable PublicKey prepared;

    /** Computed when first asked for; threads that race compute the same text. */
    private @Nullable String thumbprint;

    private Ed25519Key(byte[] bytes, Ed25519.@Nullable PublicPoint point) {
        this.bytes = bytes;
        this.point = point;
    }

    /** Accepts a holder's key: cheap rules only, since a holder who picks an odd key weakens only its own branch. */
    public static Ed25519Key of(byte[] encoded) throws Refused {
        if (encoded.length != SIZE) {
            throw new Refused(Reason.MALFORMED, "Ed25519 key must have 32 bytes, has " + encoded.length);
        }
        byte[] y = encoded.clone();
        y[SIZE - 1] &= 0x7f;
        if (!EdwardsEncoding.isCanonical(encoded, 0)) {
            throw new Refused(Reason.WEAK_KEY, "Ed25519 key is not canonical");
        }
        if (SMALL_ORDER.contains(HexFormat.of().formatHex(y))) {
            throw new Refused(Reason.WEAK_KEY, "Ed25519 key is of small order");
        }
        return new Ed25519Key(encoded.clone(), null);
    }

    /** Accepts an issuer's key: also proves that it lies in the prime-order subgroup, once, at import. */
    public static Ed25519Key ofIssuer(byte[] encoded) throws Refused {
        Ed25519Key key = of(encoded);
        Ed25519.@Nullable PublicPoint point = Ed25519.validatePublicKeyFullExport(key.bytes, 0);
        if (point == null) {
            throw new Refused(Reason.WEAK_KEY, "Ed25519 key is not in the prime-order subgroup");
        }
        return new Ed25519Key(key.bytes, point);
    }

    /** The public half of a private seed: a multiple of the base point, so nothing is left to check. */
    static Ed25519Key ofSeed(byte[] seed) {
        Ed25519.PublicPoint point = Ed25519.generatePublicKey(seed, 0);
        byte[] encoded = new byte[SIZE];
        Ed25519.encodePublicPoint(point, encoded, 0);
        return new Ed25519Key(encoded, point);
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** For the engines, which only read. */
    byte[] raw() {
        return bytes;
    }

    Ed25519.@Nullable PublicPoint point() {
        return point;
    }

    /** An issuer's key in an engine's own form, made once: it is used for every token. A holder's key is used once. */
    PublicKey prepared(Preparation preparation) throws GeneralSecurityException {
        if (point == null) {
            return preparation.prepare(bytes);
        }
        PublicKey known = prepared;
        if (known == null) {
            known = preparation.prepare(bytes);
            prepared = known;
        }
        return known;
    }

    /** How an engine decodes a key. */
    interface Preparation {
        PublicKey prepare(byte[] raw) throws GeneralSecurityException;
    }

    public String encoded() {
        return Base64Url.encode(bytes);
    }

    @Override
    public String thumbprint() {
        String known = thumbprint;
        if (known == null) {
            String jwk = "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + encoded() + "\"}";
            known = Base64Url.encode(Sha256.of(jwk.getBytes(StandardCharsets.US_ASCII)));
            thumbprint = known;
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Ed25519Key key && Arrays.equals(bytes, key.bytes));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Ed25519 " + kid();
    }
}
