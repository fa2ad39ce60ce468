package dev.ron.passport.kms;

import dev.ron.service.config.Secret;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** AES-256-GCM under a key that Argon2id makes from a passphrase; the derivation is paid for once. */
final class SealedBox {
    static final int SALT_BYTES = 16;
    static final int NONCE_BYTES = 12;

    /** What the derivation costs; kept beside the ciphertext so that it can be raised later. */
    record Cost(int memoryKib, int passes, int lanes) {
        static final Cost DEFAULT = new Cost(19 * 1024, 2, 1);

        // Bounds on what a file may ask for, before its seal has been checked.
        boolean sane() {
            return memoryKib >= 8 && memoryKib <= 1 << 20 && passes >= 1 && passes <= 64 && lanes >= 1 && lanes <= 16;
        }
    }

    private final Secret key;

    private SealedBox(Secret key) {
        this.key = key;
    }

    static SealedBox of(Secret passphrase, byte[] salt, Cost cost) {
        byte[] derived = new byte[32];
        passphrase.use(bytes -> {
            Argon2BytesGenerator argon = new Argon2BytesGenerator();
            argon.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withMemoryAsKB(cost.memoryKib())
                    .withIterations(cost.passes())
                    .withParallelism(cost.lanes())
                    .withSalt(salt)
                    .build());
            return argon.generateBytes(bytes, derived);
        });
        Secret key = Secret.of(derived);
        Arrays.fill(derived, (byte) 0);
        return new SealedBox(key);
    }

    /** Nonce and ciphertext; {@code bound} is authenticated with it. */
    byte[] seal(byte[] plain, byte[] bound, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, plain, bound);
        byte[] out = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
        System.arraycopy(sealed, 0, out, NONCE_BYTES, sealed.length);
        return out;
    }

    byte[] open(byte[] sealed, byte[] bound) {
        if (sealed.length < NONCE_BYTES) {
            throw wrong();
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        return run(Cipher.DECRYPT_MODE, nonce, Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length), bound);
    }

    private byte[] run(int mode, byte[] nonce, byte[] input, byte[] bound) {
        return key.use(bytes -> {
            try {
                Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
                cipher.init(mode, new SecretKeySpec(bytes, "AES"), new GCMParameterSpec(128, nonce));
                cipher.updateAAD(bound);
                return cipher.doFinal(input);
            } catch (GeneralSecurityException _) {
                throw wrong();
            }
        });
    }

    private static CannotOpen wrong() {
        return CannotOpen.because(
                "the keystore does not open: the passphrase is wrong or the file was changed",
                "give the passphrase it was written with: passport.kms.passphrase_file");
    }
}
