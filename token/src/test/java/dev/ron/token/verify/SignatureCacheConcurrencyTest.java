package dev.ron.token.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SignatureCacheConcurrencyTest {
    private static final int THREADS = 4;

    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final RequestContext request =
            RequestContext.at(TestIssuer.NOW).method("GET").build();

    // verify(branch i) | verify(branch j) | verify(forged)  ->  each right, at most 64 per root at any moment, small
    // cache
    @Test
    void manyThreadsSeeRightVerdictsAndNeverMoreThanTheBound() throws Exception {
        SignatureCache cache = new SignatureCache(200_000);
        TokenVerifier verifier = new TokenVerifier(VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.best(), cache);
        List<String> good = new ArrayList<>();
        for (int root = 0; root < 3; root++) {
            String token = issuer.mint().token();
            for (int branch = 0; branch < 90; branch++) {
                good.add(attenuator.attenuate(
                        token, List.of(new Caveat.Bytes(branch)), TestIssuer.NOW, new SecureRandom()));
            }
        }
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger largest = new AtomicInteger();
        KeyState state = issuer.state();
        runTogether(thread -> {
            for (int i = 0; i < 400; i++) {
                String token = good.get((i * 31 + thread * 7) % good.size());
                boolean forge = i % 5 == 0;
                boolean allowed =
                        verifier.verify(forge ? forged(token) : token, request, state) instanceof Decision.Allow;
                if (allowed == forge) {
                    wrong.incrementAndGet();
                }
                largest.accumulateAndGet(cache.largestRoot(), Math::max);
            }
        });
        assertThat(wrong).hasValue(0);
        assertThat(largest.get()).isBetween(2, 64);
    }

    // publish(revoked) happens-before verify  ->  refused, whatever is cached meanwhile
    @Test
    void noThreadAcceptsATokenAfterItsRevocationWasPublished() throws Exception {
        TestIssuer.Mint mint = issuer.mint();
        String token = mint.token();
        TokenVerifier verifier = new TokenVerifier(
                VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.best(), new SignatureCache(1 << 20));
        Revocations revocations =
                Revocations.none(TestIssuer.NOW).with(List.of(new Revocation.Id(mint.jti, mint.exp)), TestIssuer.NOW);
        KeyState after = KeyState.of(issuer.issuer(revocations));
        AtomicReference<KeyState> published = new AtomicReference<>(issuer.state());
        AtomicInteger acceptedLate = new AtomicInteger();
        runTogether(thread -> {
            for (int i = 0; i < 3_000; i++) {
                if (thread == 0 && i == 1_500) {
                    published.set(after);
                }
                KeyState state = published.get();
                boolean allowed = verifier.verify(token, request, state) instanceof Decision.Allow;
                if (allowed == state.equals(after)) {
                    acceptedLate.incrementAndGet();
                }
            }
        });
        assertThat(acceptedLate).hasValue(0);
    }

    private static String forged(String token) {
        int at = token.lastIndexOf('.') + 10;
        char other = token.charAt(at) == 'A' ? 'B' : 'A';
        return token.substring(0, at) + other + token.substring(at + 1);
    }

    private interface Body {
        void run(int thread) throws Exception;
    }

    private static void runTogether(Body body) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                    body.run(number);
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
    }
}
