package dev.ron.token.crypto;

import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.jspecify.annotations.Nullable;

/** Bouncy Castle's lightweight Ed25519: pure Java, always there. */
final class BouncyEngine implements Ed25519Engine {
    @Override
    public String name() {
        return "bouncycastle";
    }

    @Override
    public boolean verify(Ed25519Key key, byte[] message, byte[] signature) {
        Ed25519.@Nullable PublicPoint point = key.point();
        return point != null
                ? Ed25519.verify(signature, 0, point, message, 0, message.length)
                : Ed25519.verify(signature, 0, key.raw(), 0, message, 0, message.length);
    }

    @Override
    public byte[] publicHalf(byte[] seed) {
        byte[] encoded = new byte[Ed25519.PUBLIC_KEY_SIZE];
        Ed25519.generatePublicKey(seed, 0, encoded, 0);
        return encoded;
    }

    @Override
    public Signer signer(byte[] seed) {
        byte[] own = seed.clone();
        byte[] publicKey = publicHalf(own);
        return message -> {
            byte[] signature = new byte[Ed25519.SIGNATURE_SIZE];
            Ed25519.sign(own, 0, publicKey, 0, message, 0, message.length, signature, 0);
            return signature;
        };
    }
}
