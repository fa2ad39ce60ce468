package dev.ron.passport.api;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.task.Lane;
import dev.ron.passport.office.OfficeState;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.keys.TokenKey;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.Pct;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.PqMode;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.Stage;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Checks tokens against the office's own state, which is the truth and so never stale; signatures on their own lane. */
final class Inspector {
    private static final long CACHE_BYTES = 16L << 20;
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final Supplier<OfficeState> office;
    private final Supplier<PqMode> pq;
    private final Lane lane;
    private final Signatures signatures = Signatures.best();
    private final SignatureCache cache = new SignatureCache(CACHE_BYTES);

    /** What was found; the chain is there only if its signatures held. */
    record Finding(Decision decision, Optional<Chain> chain) {}

    Inspector(Supplier<OfficeState> office, Supplier<PqMode> pq, Lane lane) {
        this.office = office;
        this.pq = pq;
        this.lane = lane;
    }

    /** @param wholeRequest false judges only what needs no request: the answer is not a permission */
    Finding inspect(String token, String audience, RequestContext request, boolean wholeRequest) {
        return inspect(
                token, audience, request, wholeRequest, pq.get(), office.get().keyState());
    }

    /** The same for whoever wants to end the token: it need not be one that is accepted today, or still. */
    Finding inspectToEnd(String token, RequestContext request) {
        return inspect(token, claimedAudience(token), request, false, PqMode.HYBRID, nothingRevoked(office.get()));
    }

    /** Whether a token, a capability or an access token, is revoked already, in whichever way. */
    boolean isEnded(String token, long now) {
        if (isAccessToken(token)) {
            return accessToken(token, now, trust(false)) instanceof JwtDecision.Rejected(Reason why, String _)
                    && isEnd(why);
        }
        RequestContext request = RequestContext.at(now).build();
        Finding finding = inspect(
                token,
                claimedAudience(token),
                request,
                false,
                PqMode.HYBRID,
                office.get().keyState());
        return finding.decision() instanceof Decision.Deny deny && isEnd(deny.reason());
    }

    private static boolean isEnd(Reason why) {
        return why == Reason.REVOKED || why == Reason.EPOCH_FLOOR;
    }

    /** What the signatures were made with, as if nothing had happened since. */
    private static KeyState nothingRevoked(OfficeState state) {
        return KeyState.of(IssuerState.of(state.issuer(), everyKey(state), Revocations.none(0), Tenants.ALL));
    }

    private static List<TokenKey> everyKey(OfficeState state) {
        return state.ring().published().stream()
                .map(key -> key.status() == KeyStatus.REVOKED
                        ? new TokenKey(key.purpose(), KeyStatus.RETIRING, key.key())
                        : key)
                .toList();
    }

    private Finding inspect(
            String token, String audience, RequestContext request, boolean wholeRequest, PqMode mode, KeyState keys) {
        TokenVerifier verifier = new TokenVerifier(config(audience, mode), signatures, cache);
        Stage stage = verifier.read(token, request, keys);
        if (stage instanceof Stage.RootUnproven || stage instanceof Stage.BlocksUnproven) {
            Stage cold = stage;
            stage = lane.call(CallContext.current().deadline(), () -> prove(cold));
        }
        return switch (stage) {
            case Stage.Proven proven ->
                new Finding(
                        wholeRequest ? proven.decide() : proven.decideWithoutRequest(), Optional.of(proven.chain()));
            case Stage.Denied(Decision.Deny why) -> new Finding(why, Optional.empty());
            default -> throw new IllegalStateException("the signatures were checked");
        };
    }

    private static Stage prove(Stage cold) {
        Stage stage = cold;
        while (true) {
            switch (stage) {
                case Stage.RootUnproven root -> stage = root.proveRoot();
                case Stage.BlocksUnproven blocks -> stage = blocks.proveBlocks();
                case Stage.Denied _, Stage.Proven _ -> {
                    return stage;
                }
            }
        }
    }

    /** How long ago a key was made, if it is still here. */
    OptionalLong keyAgeSeconds(String kid, long now) {
        return office.get()
                .ring()
                .find(kid)
                .map(key -> OptionalLong.of(Math.max(0, now - key.created())))
                .orElseGet(OptionalLong::empty);
    }

    /** Whether a text is no capability but an access token, or nothing of ours at all. */
    static boolean isAccessToken(String token) {
        return !token.startsWith("pct1~") && token.indexOf('.') > 0;
    }

    /** An access token of this office, whomever it is for. */
    JwtDecision accessToken(String token, long now) {
        return accessToken(token, now, trust(pq.get() == PqMode.ENFORCE));
    }

    private JwtTrust trust(boolean pqRequired) {
        OfficeState state = office.get();
        JwkSet keys = published(state.jwks());
        return new JwtTrust(
                new JwkSet(keys.keys(), keys.epoch(), keys.floor(), pqRequired),
                Optional.of(state.revocations()),
                Tenants.ALL);
    }

    /** The same for whoever wants to end it. */
    JwtDecision accessTokenToEnd(String token, long now) {
        OfficeState state = office.get();
        return accessToken(token, now, JwtTrust.of(published(JwkSet.write(everyKey(state), state.epoch(), 0))));
    }

    private JwtDecision accessToken(String token, long now, JwtTrust trust) {
        JwtConfig standard = JwtConfig.ofOffice(
                office.get().issuer(),
                AtJwtValidator.claimedAudiences(token).stream().findFirst().orElse(Door.AUDIENCE));
        JwtConfig neverStale = new JwtConfig(
                standard.issuer(),
                standard.audience(),
                standard.algs(),
                standard.allowMissingKid(),
                standard.allowUntyped(),
                standard.skewSeconds(),
                standard.clients(),
                standard.rolePaths(),
                NEVER,
                NEVER);
        AtJwtValidator validator = new AtJwtValidator(neverStale, signatures, cache);
        return lane.call(CallContext.current().deadline(), () -> validator.validate(token, now, true, trust));
    }

    private static JwkSet published(String document) {
        try {
            return JwkSet.parse(document.getBytes(StandardCharsets.UTF_8));
        } catch (Refused e) {
            throw new IllegalStateException("the office publishes what it cannot read: " + e.detail(), e);
        }
    }

    private static VerifierConfig config(String audience, PqMode mode) {
        return new VerifierConfig(audience, 60, Caps.DEFAULT, mode, false, NEVER, NEVER);
    }

    /** The first service a token says it is for, and still is; before anything of it has been checked. */
    static String claimedAudience(String token) {
        try {
            Chain chain = Pct.parse(token, Caps.DEFAULT).chain();
            List<String> named = chain.claims().aud();
            return named.stream()
                    .filter(service -> chain.caveats().stream().allMatch(placed -> leaves(placed.caveat(), service)))
                    .findFirst()
                    .orElseGet(named::getFirst);
        } catch (Refused _) {
            return Door.AUDIENCE;
        }
    }

    private static boolean leaves(Caveat caveat, String service) {
        return !(caveat instanceof Caveat.Audience(List<String> services)) || services.contains(service);
    }
}
