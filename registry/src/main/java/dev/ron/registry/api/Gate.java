package dev.ron.registry.api;

import dev.ron.http.message.Request;
import dev.ron.kernel.time.Clock;
import dev.ron.service.keys.Bearer;
import dev.ron.service.keys.Circumstances;
import dev.ron.service.keys.TokenGate;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.Stage;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.util.function.Supplier;

/** Lets a write through whose token names the scope for it; decides from memory, never by asking the issuer. */
public final class Gate {
    public static final String AUDIENCE = "svc-registry";

    private static final long CACHE_BYTES = 4L << 20;

    private final TokenVerifier verifier;
    private final Supplier<KeyState> keys;
    private final Clock clock;

    public Gate(Supplier<KeyState> keys, Clock clock) {
        this.verifier =
                new TokenVerifier(VerifierConfig.of(AUDIENCE), Signatures.best(), new SignatureCache(CACHE_BYTES));
        this.keys = keys;
        this.clock = clock;
    }

    /** Who asks, as {@code tenant/subject}; a token that does not allow this is a 401, 403 or 503 that says why. */
    String require(Request request, String scope) {
        String token = Bearer.of(request);
        RequestContext context = Circumstances.of(request, clock)
                .scope(scope)
                .contentLength(request.body().length)
                .build();
        Stage.Proven proven = prove(token, context);
        if (!(proven.decide() instanceof Decision.Allow allow)) {
            throw Bearer.denied((Decision.Deny) proven.decide());
        }
        // A token without any scope is not limited elsewhere; what changes the registry must be named.
        if (!proven.chain().grants(scope)) {
            throw Bearer.denied(Reason.CAV_SCOPE, "the token does not name the scope " + scope);
        }
        TokenGate.requireNothingCounted(allow.obligations());
        return allow.principal().tenant() + "/" + allow.principal().sub();
    }

    private Stage.Proven prove(String token, RequestContext request) {
        Stage stage = verifier.read(token, request, keys.get());
        while (true) {
            switch (stage) {
                case Stage.Denied(Decision.Deny why) -> throw Bearer.denied(why);
                case Stage.RootUnproven cold -> stage = cold.proveRoot();
                case Stage.BlocksUnproven cold -> stage = cold.proveBlocks();
                case Stage.Proven proven -> {
                    return proven;
                }
            }
        }
    }
}
