package dev.ron.service.keys;

import dev.ron.http.message.Request;
import dev.ron.kernel.time.Clock;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.Principal;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.util.function.Supplier;

/** Lets a request through that shows a token for it; decides from memory, never by asking the issuer. */
public final class TokenGate {
    private static final long CACHE_BYTES = 8L << 20;

    private final TokenVerifier verifier;
    private final Supplier<KeyState> keys;
    private final Clock clock;

    public TokenGate(String audience, Supplier<KeyState> keys, Clock clock) {
        this.verifier =
                new TokenVerifier(VerifierConfig.of(audience), Signatures.best(), new SignatureCache(CACHE_BYTES));
        this.keys = keys;
        this.clock = clock;
    }

    /** Who asks; a token that does not allow this request is a 401, 403 or 503 that says why. */
    public Principal require(Request request) {
        String token = Bearer.of(request);
        RequestContext context = Circumstances.of(request, clock)
                .contentLength(request.body().length)
                .build();
        return switch (verifier.verify(token, context, keys.get())) {
            case Decision.Deny deny -> throw Bearer.denied(deny);
            case Decision.Allow(Principal principal, Obligations obligations) -> {
                requireNothingCounted(obligations);
                yield principal;
            }
        };
    }

    /** Who cannot count across requests must not accept a token that asks for it. */
    public static void requireNothingCounted(Obligations obligations) {
        if (!obligations.rates().isEmpty()) {
            throw Bearer.denied(Reason.CAV_RATE, "the token limits a rate, which is not counted here");
        }
        if (!obligations.budgets().isEmpty()) {
            throw Bearer.denied(Reason.CAV_BUDGET, "the token has a budget, which is not counted here");
        }
    }
}
