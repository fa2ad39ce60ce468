package dev.ron.token.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HKDF-SHA256 (RFC 5869) with an empty salt and 32 bytes of output, which is all the token format uses.
 *
 * <p>Written out on the digest because a verifier runs it for every presented token: the JDK's {@code KDF} costs several
 * times more in lookups and key objects than in hashing. A test compares the two.
 */
final class Hkdf {
    private static final int BLOCK = 64;
    private static final byte[] NO_SALT = new byte[32];

    private Hkdf() {}

    static byte[] derive(byte[] secret, String info) {
        byte[] pseudoRandomKey = hmac(NO_SALT, secret);
        byte[] label = info.getBytes(StandardCharsets.US_ASCII);
        byte[] first = Arrays.copyOf(label, label.length + 1);
        first[label.length] = 1;
        byte[] output = hmac(pseudoRandomKey, first);
        Arrays.fill(pseudoRandomKey, (byte) 0);
        return output;
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        byte[] pad = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            pad[i] = (byte) ((i < key.length ? key[i] : 0) ^ 0x36);
        }
        MessageDigest digest = Sha256.start();
        digest.update(pad);
        byte[] inner = digest.digest(message);
        for (int i = 0; i < BLOCK; i++) {
            pad[i] ^= 0x36 ^ 0x5c;
        }
        digest.update(pad);
        Arrays.fill(pad, (byte) 0);
        return digest.digest(inner);
    }
}
