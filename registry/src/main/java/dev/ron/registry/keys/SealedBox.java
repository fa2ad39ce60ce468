package dev.ron.registry.keys;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.service.config.Secret;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** AES-256-GCM under a key that Argon2id makes from a passphrase. */
final class SealedBox {
    static final int SALT_BYTES = 16;

    private static final int NONCE_BYTES = 12;

    private final Secret key;

    /** What the derivation costs; kept in the file so that it can be raised later. */
    record Cost(int memoryKib, int passes, int lanes) {
        static final Cost DEFAULT = new Cost(19 * 1024, 2, 1);

        // Bounds on what a file may ask for, before its seal has been checked.
        static Cost fromJson(Json value, String what) throws Refused {
            Fields fields = Fields.of(value, what);
            int memory = (int) fields.integer("memory_kib", 8, 1 << 18);
            int passes = (int) fields.integer("passes", 1, 64);
            int lanes = (int) fields.integer("lanes", 1, 16);
            return fields.build(() -> new Cost(memory, passes, lanes));
        }

        Json toJson() {
            return new ObjWriter()
                    .put("memory_kib", memoryKib)
                    .put("passes", passes)
                    .put("lanes", lanes)
                    .end();
        }
    }

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
        try {
            byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, plain, bound);
            byte[] out = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, out, NONCE_BYTES, sealed.length);
            return out;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }

    byte[] open(byte[] sealed, byte[] bound) throws Refused {
        if (sealed.length < NONCE_BYTES) {
            throw new Refused(Reason.MALFORMED, "key file: cut off");
        }
        try {
            return run(
                    Cipher.DECRYPT_MODE,
                    Arrays.copyOf(sealed, NONCE_BYTES),
                    Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length),
                    bound);
        } catch (GeneralSecurityException _) {
            throw new Refused(Reason.INVALID_SIG, "key file: the passphrase is wrong or the file was changed");
        }
    }

    private byte[] run(int mode, byte[] nonce, byte[] input, byte[] bound) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        SecretKeySpec spec = key.use(bytes -> new SecretKeySpec(bytes, "AES"));
        cipher.init(mode, spec, new GCMParameterSpec(128, nonce));
        cipher.updateAAD(bound);
        return cipher.doFinal(input);
    }
}
