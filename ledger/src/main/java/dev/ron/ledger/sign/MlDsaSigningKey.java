package dev.ron.ledger.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;

/** An ML-DSA-65 private key of the JDK, kept together with its public half. */
public final class MlDsaSigningKey implements SigningKey {
    private final PrivateKey key;
    private final MlDsaKey verifyKey;

    private MlDsaSigningKey(PrivateKey key, MlDsaKey verifyKey) {
        this.key = key;
        this.verifyKey = verifyKey;
    }

    public static MlDsaSigningKey generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(MlDsaKey.JDK_NAME);
            generator.initialize(java.security.spec.NamedParameterSpec.ML_DSA_65, random);
            KeyPair pair = generator.generateKeyPair();
            return new MlDsaSigningKey(pair.getPrivate(), MlDsaKey.derived(pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("JDK 24 and later have ML-DSA-65", e);
        }
    }

    /** From what {@link #pkcs8()} gave; the pair must belong together, which one trial signature shows. */
    public static MlDsaSigningKey of(byte[] pkcs8, MlDsaKey verifyKey) {
        try {
            PrivateKey key = KeyFactory.getInstance(MlDsaKey.JDK_NAME).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            MlDsaSigningKey signing = new MlDsaSigningKey(key, verifyKey);
            byte[] trial = {0};
            if (!verifyKey.verify(trial, signing.sign(trial))) {
                throw new IllegalArgumentException("private and public key do not belong together");
            }
            return signing;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not an ML-DSA-65 private key", e);
        }
    }

    @Override
    public MlDsaKey verifyKey() {
        return verifyKey;
    }

    @Override
    public byte[] sign(byte[] message) {
        try {
            Signature signer = Signature.getInstance(MlDsaKey.JDK_NAME);
            signer.initSign(key);
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("ML-DSA-65 signing failed", e);
        }
    }

    /** The secret itself, for whoever encrypts it at rest; the caller wipes the copy. */
    public byte[] pkcs8() {
        return key.getEncoded();
    }

    @Override
    public String toString() {
        return "private key of " + verifyKey;
    }
}
