package dev.ron.token.verify;

import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.IntConsumer;

/** A measured loop on one thread, for a first idea of the rates; the benchmarks proper are elsewhere. */
public final class VerifyRate {
    private static final int ROUNDS = 4;
    private static final long ROUND_NANOS = 1_000_000_000L;

    private VerifyRate() {}

    public static void main(String[] args) throws Exception {
        TestIssuer issuer = new TestIssuer();
        KeyState state = issuer.state();
        Attenuator attenuator = new Attenuator(Signatures.portable(), Caps.DEFAULT);
        String root = issuer.mint()
                .with(
                        new Caveat.Method(List.of("GET", "PUT")),
                        new Caveat.Path(List.of(PathPrefix.of("/o/"))),
                        new Caveat.Rate(5, 10))
                .token();
        String narrowed = attenuator.attenuate(
                root,
                List.of(new Caveat.Method(List.of("GET")), new Caveat.Expires(TestIssuer.IAT + 300)),
                TestIssuer.NOW,
                new SecureRandom());
        RequestContext request =
                RequestContext.at(TestIssuer.NOW).method("GET").path("/o/x").build();
        VerifierConfig config = VerifierConfig.of(TestIssuer.AUDIENCE);

        TokenVerifier cached = new TokenVerifier(config, Signatures.best(), new SignatureCache(1 << 24));
        String sealedRoot = attenuator.seal(root);
        String sealedNarrowed = attenuator.seal(narrowed);
        measure("cached, root, sealed", _ -> allow(cached, sealedRoot, request, state));
        measure("cached, root + 1 block, sealed", _ -> allow(cached, sealedNarrowed, request, state));
        measure("cached, root + 1 block, with seed", _ -> allow(cached, narrowed, request, state));

        measure("parse only, root + 1 block", _ -> parse(sealedNarrowed));
        for (Signatures signatures : List.of(Signatures.best(), Signatures.portable())) {
            // A cache without room: every signature is checked every time.
            TokenVerifier cold = new TokenVerifier(config, signatures, new SignatureCache(0));
            measure("cold, root + 1 block, " + signatures.engine(), _ -> allow(cold, sealedNarrowed, request, state));
        }
    }

    private static void parse(String token) {
        TestIssuer.unchecked(() -> Pct.parse(token, Caps.DEFAULT));
    }

    private static void allow(TokenVerifier verifier, String token, RequestContext request, KeyState state) {
        if (!(verifier.verify(token, request, state) instanceof Decision.Allow)) {
            throw new AssertionError("refused");
        }
    }

    /** Counts by the thread's own processor time, so that neighbours on the machine do not blur the figure. */
    private static void measure(String what, IntConsumer action) {
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = cpuNanos();
            long end = start;
            long count = 0;
            while (end - start < ROUND_NANOS) {
                for (int i = 0; i < 100; i++) {
                    action.accept(i);
                }
                count += 100;
                end = cpuNanos();
            }
            best = Math.max(best, count * 1e9 / (end - start));
        }
        System.out.printf("%-36s %,12.0f per second of one core%n", what, best);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
