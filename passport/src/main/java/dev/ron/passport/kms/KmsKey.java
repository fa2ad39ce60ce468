package dev.ron.passport.kms;

import dev.ron.service.config.Secret;
import dev.ron.token.crypto.ForeignKey;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.TokenKey;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;

/**
 * One signing key with its private half; times are seconds since 1970.
 *
 * <p>Id and private half travel together, so a signature can never go out under another key's id.
 *
 * @param secret an Ed25519 seed, or ML-DSA and P-256 as PKCS#8; empty once the key can never sign again
 * @param from when it becomes, or became, active
 * @param until when it leaves its state: for a retiring key the end of its publication
 */
public record KmsKey(
        Purpose purpose, KeyStatus status, VerifyingKey key, Secret secret, long created, long from, long until) {

    static KmsKey generate(Purpose purpose, KeyStatus status, long now, long from, SecureRandom random) {
        try {
            if (purpose == Purpose.PCT_PQ) {
                KeyPair pair = KeyPairGenerator.getInstance(MlDsaKey.ALG).generateKeyPair();
                VerifyingKey key = MlDsaKey.of(pair.getPublic());
                return new KmsKey(purpose, status, key, secret(pair), now, from, Long.MAX_VALUE);
            }
            if (purpose == Purpose.JWT_ES256) {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"), random);
                KeyPair pair = generator.generateKeyPair();
                VerifyingKey key = ForeignKey.p256((ECPublicKey) pair.getPublic());
                return new KmsKey(purpose, status, key, secret(pair), now, from, Long.MAX_VALUE);
            }
        } catch (GeneralSecurityException | dev.ron.token.Refused e) {
            throw new IllegalStateException("every JDK 25 makes ML-DSA-65 and P-256 keys", e);
        }
        byte[] seed = new byte[32];
        random.nextBytes(seed);
        Secret secret = Secret.of(seed);
        VerifyingKey key = Signatures.publicKey(seed);
        Arrays.fill(seed, (byte) 0);
        return new KmsKey(purpose, status, key, secret, now, from, Long.MAX_VALUE);
    }

    private static Secret secret(KeyPair pair) {
        byte[] encoded = pair.getPrivate().getEncoded();
        Secret secret = Secret.of(encoded);
        Arrays.fill(encoded, (byte) 0);
        return secret;
    }

    public String kid() {
        return key.kid();
    }

    TokenKey published() {
        return new TokenKey(purpose, status, key);
    }

    KmsKey activeSince(long now) {
        return new KmsKey(purpose, KeyStatus.ACTIVE, key, secret, created, now, Long.MAX_VALUE);
    }

    /** Signs no more from here on, so the private half goes. */
    KmsKey ended(KeyStatus state, long end) {
        return new KmsKey(purpose, state, key, Secret.of(new byte[0]), created, from, end);
    }

    @Override
    public String toString() {
        return purpose.wire() + " " + kid() + " " + status;
    }
}
