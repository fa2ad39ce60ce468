package dev.ron.token.crypto;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Ed25519 from Amazon Corretto Crypto Provider: native code, two to three times faster. */
final class AccpEngine implements Ed25519Engine {
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final byte[] PKCS8_PREFIX = HexFormat.of().parseHex("302e020100300506032b657004220420");

    /** ACCP buffers the message and throws beyond this size, which a verifier would take for a bad signature. */
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    private final BouncyEngine forLargeMessages = new BouncyEngine();
    private final Provider provider;
    private final KeyFactory factory;

    private AccpEngine(Provider provider, KeyFactory factory) {
        this.provider = provider;
        this.factory = factory;
    }

    /** Loads the provider and signs once with it, so that a library that loads but does not work is noticed here. */
    static AccpEngine load() throws Exception {
        AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
        provider.assertHealthy();
        AccpEngine engine = new AccpEngine(provider, keyFactory(provider));
        byte[] probe = {1, 2, 3};
        byte[] seed = new byte[32];
        byte[] signature = engine.sign(seed, probe);
        if (!Arrays.equals(signature, new BouncyEngine().sign(seed, probe))) {
            throw new GeneralSecurityException("ACCP signs differently from Bouncy Castle");
        }
        return engine;
    }

    // ACCP hides its key factory unless a system property asks for it; the JDK's is slower but gives equal keys.
    private static KeyFactory keyFactory(Provider provider) throws NoSuchAlgorithmException {
        try {
            return KeyFactory.getInstance("Ed25519", provider);
        } catch (NoSuchAlgorithmException _) {
            return KeyFactory.getInstance("Ed25519");
        }
    }

    @Override
    public String name() {
        return "accp";
    }

    @Override
    public boolean verify(Ed25519Key key, byte[] message, byte[] signature) throws GeneralSecurityException {
        if (message.length > MAX_MESSAGE_BYTES) {
            return forLargeMessages.verify(key, message, signature);
        }
        Signature verifier = Signature.getInstance("Ed25519", provider);
        verifier.initVerify(factory.generatePublic(new X509EncodedKeySpec(join(X509_PREFIX, key.raw()))));
        verifier.update(message);
        return verifier.verify(signature);
    }

    @Override
    public byte[] sign(byte[] seed, byte[] message) throws GeneralSecurityException {
        if (message.length > MAX_MESSAGE_BYTES) {
            return forLargeMessages.sign(seed, message);
        }
        byte[] encoded = join(PKCS8_PREFIX, seed);
        try {
            Signature signer = Signature.getInstance("Ed25519", provider);
            signer.initSign(factory.generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            signer.update(message);
            return signer.sign();
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private static byte[] join(byte[] prefix, byte[] key) {
        byte[] joined = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, joined, prefix.length, key.length);
        return joined;
    }
}
