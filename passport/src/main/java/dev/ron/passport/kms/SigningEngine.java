package dev.ron.passport.kms;

import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Purpose;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;

/** Makes one signature; may be slow or fail, which is its caller's business. */
@FunctionalInterface
public interface SigningEngine {
    byte[] sign(KmsKey key, byte[] message) throws Exception;

    /** False where a signature by this key is a moment's arithmetic, for which no thread need be asked and none waits. */
    default boolean mayStall(KmsKey key) {
        return true;
    }

    /** Signs in this process. */
    static SigningEngine local(Signatures signatures) {
        LocalKeys ready = new LocalKeys(signatures);
        return new SigningEngine() {
            @Override
            public byte[] sign(KmsKey key, byte[] message) throws Exception {
                return switch (key.purpose()) {
                    case PCT_PQ -> signed(key, MlDsaKey.ALG, MlDsaKey.ALG, message);
                    case JWT_ES256 -> signed(key, "EC", "SHA256withECDSAinP1363Format", message);
                    case PCT, JWT, FEED -> ready.signer(key).sign(message);
                };
            }

            @Override
            public boolean mayStall(KmsKey key) {
                return key.purpose() == Purpose.PCT_PQ || key.purpose() == Purpose.JWT_ES256;
            }
        };
    }

    private static byte[] signed(KmsKey key, String family, String algorithm, byte[] message) throws Exception {
        PKCS8EncodedKeySpec spec = key.secret().use(PKCS8EncodedKeySpec::new);
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(KeyFactory.getInstance(family).generatePrivate(spec));
        signer.update(message);
        return signer.sign();
    }
}
