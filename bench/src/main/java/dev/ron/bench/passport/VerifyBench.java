package dev.ron.bench.passport;

import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.keys.TokenKey;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Proof;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.pct.RootText;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One thread that verifies a token of a root and one block, with three caveats in the root and two in the block. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class VerifyBench {
    private static final String AUDIENCE = "svc-gateway";
    private static final String ISSUER = "https://passport.bench";
    private static final long NOW = 1_760_000_060L;

    @Param({"accp", "bouncycastle"})
    public String engine = "";

    private TokenVerifier cached = verifier(Signatures.portable(), 0);
    private TokenVerifier cold = cached;
    private KeyState keys = new KeyState(java.util.Map.of());
    private String token = "";
    private RequestContext request = RequestContext.at(NOW).build();
    private Signatures signatures = Signatures.portable();
    private Ed25519Key issuer = Signatures.publicKey(new byte[HolderSeed.SIZE]);
    private byte[] signed = {};
    private byte[] signature = {};

    @Setup
    public void mint() throws Refused {
        signatures = "accp".equals(engine) ? Signatures.best() : Signatures.portable();
        if (!signatures.engine().equals(engine)) {
            throw new IllegalStateException("no " + engine + " on this machine");
        }
        SecureRandom random = new SecureRandom();
        byte[] issuerSeed = new byte[HolderSeed.SIZE];
        random.nextBytes(issuerSeed);
        issuer = Signatures.publicKey(issuerSeed);
        TokenKey key = new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, issuer);
        keys = KeyState.of(IssuerState.of(ISSUER, List.of(key), Revocations.none(NOW), Tenants.ALL));
        byte[] secret = new byte[HolderSeed.SIZE];
        random.nextBytes(secret);
        HolderSeed seed = new HolderSeed(secret);
        RootClaims claims = new RootClaims(
                ISSUER,
                "sub-abc123",
                List.of(AUDIENCE),
                "t1",
                "ci-runner",
                NOW - 60,
                NOW - 60,
                NOW + 840,
                Base64Url.encode(java.util.Arrays.copyOf(secret, 16)),
                42,
                7,
                List.of(
                        new Caveat.Method(List.of("GET", "PUT")),
                        new Caveat.Path(List.of(PathPrefix.of("/o/"))),
                        new Caveat.Rate(5, 10)),
                Base64Url.encode(HolderSeed.commitment(seed.opening())),
                Optional.of(seed.nextKey().encoded()),
                Optional.empty(),
                Optional.empty());
        RootText text = RootText.of(key.kid(), claims);
        signed = text.signingInput();
        signature = signatures.sign(issuerSeed, signed);
        String root = text.sign(signature).withProof(Proof.ofSeed(seed));
        Attenuator attenuator = new Attenuator(signatures, Caps.DEFAULT);
        token = attenuator.seal(attenuator.attenuate(
                root, List.of(new Caveat.Method(List.of("GET")), new Caveat.Expires(NOW + 300)), NOW, random));
        request = RequestContext.at(NOW).method("GET").path("/o/x").build();
        cached = verifier(signatures, 1 << 24);
        // A cache without room: every signature is checked every time.
        cold = verifier(signatures, 0);
        if (!(cached() instanceof Decision.Allow) || !(cold() instanceof Decision.Allow)) {
            throw new IllegalStateException("the token is refused");
        }
    }

    private static TokenVerifier verifier(Signatures signatures, long cacheBytes) {
        return new TokenVerifier(VerifierConfig.of(AUDIENCE), signatures, new SignatureCache(cacheBytes));
    }

    @Benchmark
    public Decision cached() {
        return cached.verify(token, request, keys);
    }

    /** What a cold check cannot be faster than twice of. */
    @Benchmark
    public boolean signature() {
        return signatures.verify(issuer, signed, signature);
    }

    @Benchmark
    public Decision cold() {
        return cold.verify(token, request, keys);
    }
}
