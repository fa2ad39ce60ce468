package dev.ron.token;

import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.keys.TokenKey;
import dev.ron.token.pct.Proof;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.pct.RootText;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer for tests: keys of known seeds, tokens as the published vectors have them unless told otherwise. */
public final class TestIssuer {
    public static final long IAT = 1_760_000_000L;
    public static final long NOW = IAT + 30;
    public static final String ISS = "https://passport.test";
    public static final String AUDIENCE = "svc-gateway";

    private static final HolderSeed HOLDER = new HolderSeed(bytes(0x20));
    private static final String HOLDER_KEY = HOLDER.nextKey().encoded();
    private static final KeyPair ML_DSA = mlDsa();

    public final byte[] seed = bytes(0);
    public final Ed25519Key key = Signatures.publicKey(seed);
    public final MlDsaKey pqKey = unchecked(() -> MlDsaKey.of(ML_DSA.getPublic()));
    private final Signatures signatures = Signatures.portable();
    private final AtomicInteger ids = new AtomicInteger();

    /** 32 bytes counting up from {@code first}, as in the published vectors. */
    public static byte[] bytes(int first) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    public List<TokenKey> keys(KeyStatus status) {
        return List.of(new TokenKey(Purpose.PCT, status, key), new TokenKey(Purpose.PCT_PQ, KeyStatus.ACTIVE, pqKey));
    }

    public IssuerState issuer(Revocations revocations) {
        return IssuerState.of(ISS, keys(KeyStatus.ACTIVE), revocations, Tenants.ALL);
    }

    public KeyState state() {
        return KeyState.of(issuer(Revocations.none(NOW)));
    }

    public Mint mint() {
        return new Mint();
    }

    /** A root to be changed member by member before it is signed. */
    public final class Mint {
        public String iss = ISS;
        public String sub = "sub-abc123";
        public List<String> aud = List.of(AUDIENCE);
        public String tenant = "t1";
        public long iat = IAT;
        public long nbf = IAT;
        public long exp = IAT + 900;
        public String jti = jti(ids.getAndIncrement());
        public long epoch = 42;
        public List<Caveat> caveats = new ArrayList<>();
        public HolderSeed holder = HOLDER;
        public boolean attenuable = true;
        public boolean hybrid;
        public Optional<Binding> confirmation = Optional.empty();

        public Mint with(Caveat... more) {
            caveats.addAll(List.of(more));
            return this;
        }

        public Mint hybrid() {
            hybrid = true;
            return this;
        }

        public RootClaims claims() {
            return new RootClaims(
                    iss,
                    sub,
                    aud,
                    tenant,
                    "ci-runner",
                    iat,
                    nbf,
                    exp,
                    jti,
                    epoch,
                    7,
                    List.copyOf(caveats),
                    Base64Url.encode(HolderSeed.commitment(holder.opening())),
                    attenuable ? Optional.of(nextKey()) : Optional.empty(),
                    hybrid ? Optional.of(pqKey.kid()) : Optional.empty(),
                    confirmation);
        }

        private String nextKey() {
            return holder.equals(HOLDER) ? HOLDER_KEY : holder.nextKey().encoded();
        }

        public RootText.Signed root() {
            RootText text = RootText.of(key.kid(), claims());
            RootText.Signed signed = text.sign(signatures.sign(seed, text.signingInput()));
            return hybrid ? signed.withCoSignature(pqKey.kid(), pqSign(signed.coSigningInput(pqKey.kid()))) : signed;
        }

        public String token() {
            return root().withProof(Proof.ofSeed(holder));
        }
    }

    public static String jti(int number) {
        byte[] id = new byte[16];
        for (int i = 0; i < 4; i++) {
            id[i] = (byte) (number >>> (8 * i));
        }
        return Base64Url.encode(id);
    }

    private static byte[] pqSign(byte[] message) {
        return unchecked(() -> {
            Signature signer = Signature.getInstance("ML-DSA-65");
            signer.initSign(ML_DSA.getPrivate());
            signer.update(message);
            return signer.sign();
        });
    }

    private static KeyPair mlDsa() {
        try {
            return KeyPairGenerator.getInstance("ML-DSA-65").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Something that may be refused, though in a test it is not expected to be. */
    public interface Action<T> {
        T run() throws Exception;
    }

    public static <T> T unchecked(Action<T> action) {
        try {
            return action.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
