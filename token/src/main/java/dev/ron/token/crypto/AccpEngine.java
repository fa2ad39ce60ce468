package dev.ron.token.crypto;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.lang.reflect.Method;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Ed25519 from Amazon Corretto Crypto Provider: native code, two to three times faster. */
final class AccpEngine implements Ed25519Engine {
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final byte[] PKCS8_PREFIX = HexFormat.of().parseHex("302e020100300506032b657004220420");

    /** ACCP buffers the message and throws beyond this size, which a verifier would take for a bad signature. */
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    private final BouncyEngine portable = new BouncyEngine();
    private final Provider provider;
    private final KeyFactory factory;
    private final Optional<Method> publicHalf;

    private AccpEngine(Provider provider, KeyFactory factory) {
        this.provider = provider;
        this.factory = factory;
        this.publicHalf = publicHalfOf(factory);
    }

    // Its private keys hold their public half, three times faster than Bouncy Castle computes it, but the class that
    // says
    // so is not public. Where it is not as expected, Bouncy Castle computes it.
    private static Optional<Method> publicHalfOf(KeyFactory factory) {
        try {
            PrivateKey probe = factory.generatePrivate(new PKCS8EncodedKeySpec(join(PKCS8_PREFIX, new byte[32])));
            Method method = probe.getClass().getMethod("getPublicKey");
            method.setAccessible(true);
            return method.invoke(probe) instanceof PublicKey ? Optional.of(method) : Optional.empty();
        } catch (ReflectiveOperationException | GeneralSecurityException | RuntimeException _) {
            return Optional.empty();
        }
    }

    /** Loads the provider and signs once with it, so that a library that loads but does not work is noticed here. */
    static AccpEngine load() throws Exception {
        AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
        provider.assertHealthy();
        AccpEngine engine = new AccpEngine(provider, keyFactory(provider));
        byte[] probe = {1, 2, 3};
        byte[] seed = new byte[32];
        byte[] signature = engine.signer(seed).sign(probe);
        if (!Arrays.equals(signature, new BouncyEngine().signer(seed).sign(probe))) {
            throw new GeneralSecurityException("ACCP signs differently from Bouncy Castle");
        }
        if (!Arrays.equals(engine.publicHalf(seed), new BouncyEngine().publicHalf(seed))) {
            throw new GeneralSecurityException("ACCP gives another public key than Bouncy Castle");
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
            return portable.verify(key, message, signature);
        }
        Signature verifier = Signature.getInstance("Ed25519", provider);
        verifier.initVerify(key.prepared(this::decode));
        verifier.update(message);
        return verifier.verify(signature);
    }

    private PublicKey decode(byte[] raw) throws GeneralSecurityException {
        return factory.generatePublic(new X509EncodedKeySpec(join(X509_PREFIX, raw)));
    }

    @Override
    public byte[] publicHalf(byte[] seed) throws Exception {
        if (publicHalf.isEmpty()) {
            return portable.publicHalf(seed);
        }
        byte[] encoded = join(PKCS8_PREFIX, seed);
        try {
            PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
            byte[] x509 = ((PublicKey) publicHalf.get().invoke(key)).getEncoded();
            return Arrays.copyOfRange(x509, x509.length - Ed25519Key.SIZE, x509.length);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    @Override
    public Signer signer(byte[] seed) throws GeneralSecurityException {
        byte[] encoded = join(PKCS8_PREFIX, seed);
        try {
            PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(encoded));
            Signer large = portable.signer(seed);
            return message -> message.length > MAX_MESSAGE_BYTES ? large.sign(message) : sign(key, message);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private byte[] sign(PrivateKey key, byte[] message) {
        try {
            Signature signer = Signature.getInstance("Ed25519", provider);
            signer.initSign(key);
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Ed25519 signing failed in " + name(), e);
        }
    }

    private static byte[] join(byte[] prefix, byte[] key) {
        byte[] joined = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, joined, prefix.length, key.length);
        return joined;
    }
}
