package dev.ron.token.crypto;

import dev.ron.token.json.Base64Url;

/**
 * Ed25519 as this product understands it: the one place that chooses the implementation, and the one place with the
 * range rules that make the choice invisible.
 *
 * <p>One difference remains: for a signature whose R, or a key, has a small-order part, Bouncy Castle checks the
 * equation times the cofactor and ACCP checks it as it stands. Only the holder of the private key can make such
 * signatures, so no one gains a power by it; those who must all reach one verdict use {@link #portable()}.
 */
public final class Signatures {
    /** ACCP unpacks its library into a temporary folder unless this says that the launcher has put it on the path. */
    private static final String ACCP_EXTERNAL = "com.amazon.corretto.crypto.provider.useExternalLib";

    private static final int SIGNATURE_SIZE = 64;

    private final Ed25519Engine engine;

    private Signatures(Ed25519Engine engine) {
        this.engine = engine;
    }

    /** ACCP where its native library is installed beside the program and works, else Bouncy Castle. */
    public static Signatures best() {
        return Boolean.getBoolean(ACCP_EXTERNAL) ? Tried.BEST : portable(); // never write a file at run time
    }

    /** Tried once: its first signatures, which nothing has compiled yet, take longer than all the rest of a start. */
    private static final class Tried {
        static final Signatures BEST = load();

        private static Signatures load() {
            try {
                return new Signatures(AccpEngine.load());
            } catch (Exception | LinkageError _) {
                return portable();
            }
        }
    }

    /** Bouncy Castle, on every machine the same: for quorums, where all must agree on every odd point. */
    public static Signatures portable() {
        return new Signatures(new BouncyEngine());
    }

    /** Which implementation was chosen: {@code accp} or {@code bouncycastle}. */
    public String engine() {
        return engine.name();
    }

    public boolean verify(Ed25519Key key, byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_SIZE
                || !EdwardsEncoding.isCanonical(signature, 0)
                || !EdwardsEncoding.isReduced(signature, 32)) {
            return false;
        }
        try {
            return engine.verify(key, message, signature);
        } catch (Exception _) {
            return false; // some providers throw where others return false
        }
    }

    public byte[] sign(byte[] seed, byte[] message) {
        return signer(seed).sign(message);
    }

    /** For a key that signs often: what depends on the key alone is computed here, once. */
    public Signer signer(byte[] seed) {
        try {
            return engine.signer(seed);
        } catch (Exception e) {
            throw new IllegalStateException("Ed25519 signing failed in " + engine.name(), e);
        }
    }

    /** The public half of a 32-byte private seed, as text: what a block names its successor's key by. */
    public String publicText(byte[] seed) {
        try {
            return Base64Url.encode(engine.publicHalf(seed));
        } catch (Exception e) {
            throw new IllegalStateException("no public key from " + engine.name(), e);
        }
    }

    /** The public half of a 32-byte private seed. */
    public static Ed25519Key publicKey(byte[] seed) {
        return Ed25519Key.ofSeed(seed);
    }
}
