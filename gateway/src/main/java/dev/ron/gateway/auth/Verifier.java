package dev.ron.gateway.auth;

import dev.ron.gateway.config.AuthConfig;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.keys.Bearer;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.Principal;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.Stage;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges capabilities and plain access tokens from memory; the issuer is never asked. */
public final class Verifier {
    private static final long CACHE_BYTES = 32L << 20;
    private static final String CAPABILITY = "pct1~";
    private static final JwtDecision.Rejected UNKNOWN =
            new JwtDecision.Rejected(Reason.WRONG_ISSUER, "no trusted issuer has signed this");

    private final TrustedIssuers issuers;
    private final TokenVerifier capabilities;
    private final List<AtJwtValidator> plain = new ArrayList<>();

    public Verifier(AuthConfig config, TrustedIssuers issuers) {
        this.issuers = issuers;
        SignatureCache cache = new SignatureCache(CACHE_BYTES);
        Signatures signatures = Signatures.best();
        VerifierConfig standard = VerifierConfig.of(config.audience());
        this.capabilities = new TokenVerifier(
                new VerifierConfig(
                        config.audience(),
                        config.clockSkew().toSeconds(),
                        standard.caps(),
                        standard.pq(),
                        standard.classicalBlocks(),
                        standard.staleWritesSeconds(),
                        standard.staleAllSeconds()),
                signatures,
                cache);
        for (JwtConfig rules :
                issuers.rules(config.audience(), config.clockSkew().toSeconds())) {
            plain.add(new AtJwtValidator(rules, signatures, cache));
        }
    }

    /** What can be said without a signature check; for loops. */
    Verdict look(String token, RequestContext request, long now) {
        TrustedIssuers.Known known = issuers.now();
        if (token.startsWith(CAPABILITY)) {
            return verdict(capabilities.read(token, request, known.capabilities()));
        }
        JwtDecision.Rejected last = UNKNOWN;
        for (int i = 0; i < plain.size(); i++) {
            Optional<JwtDecision> decided = plain.get(i)
                    .validateIfKnown(token, now, request.reads(), known.plain().get(i));
            if (decided.isEmpty()) {
                return new Verdict.Cold(null, () -> validate(token, now, request.reads()));
            }
            if (!mayBeOfAnother(i, token, decided.get())) {
                return verdict(decided.get(), i, known.plain().get(i));
            }
            last = tellsMore(i, last, decided.get());
        }
        return ofNobody(last, token, now, known);
    }

    /** Whether a token that was good once still is, whatever was asked with it. */
    boolean stillGood(String token, long now) {
        RequestContext nothing = RequestContext.at(now).readOnly().build();
        TrustedIssuers.Known known = issuers.now();
        if (token.startsWith(CAPABILITY)) {
            return switch (capabilities.read(token, nothing, known.capabilities())) {
                case Stage.Denied(Decision.Deny why) -> why.reason() == Reason.STALE_STATE;
                case Stage.Proven proven -> proven.decideWithoutRequest() instanceof Decision.Allow;
                // No longer remembered; what is left to judge without a signature has just been judged.
                default -> true;
            };
        }
        Verdict verdict = look(token, nothing, now);
        return !(verdict instanceof Verdict.Denied(RonException why)) || why.code() == Code.UNAVAILABLE;
    }

    /** Changes whenever an issuer has news. */
    Object news() {
        return issuers.now();
    }

    private Verdict validate(String token, long now, boolean reads) {
        TrustedIssuers.Known known = issuers.now();
        JwtDecision.Rejected last = UNKNOWN;
        for (int i = 0; i < plain.size(); i++) {
            JwtDecision decision =
                    plain.get(i).validate(token, now, reads, known.plain().get(i));
            if (!mayBeOfAnother(i, token, decision)) {
                return verdict(decision, i, known.plain().get(i));
            }
            last = tellsMore(i, last, decision);
        }
        return ofNobody(last, token, now, known);
    }

    /** Each issuer has its own keys, algorithms and types: what one of them would not have made another may have. */
    private boolean mayBeOfAnother(int place, String token, JwtDecision decision) {
        return decision instanceof JwtDecision.Rejected(Reason reason, String _)
                && switch (reason) {
                    case UNKNOWN_KID, ALG_REFUSED, WRONG_TYPE, WRONG_ISSUER, PQ_MISSING -> true;
                    // Two may call their keys by the same name, by chance or because one of them wants to.
                    case BAD_SIGNATURE -> !plain.get(place).isNamedBy(token);
                    default -> false;
                };
    }

    /** What is told at the end: a form that none of them takes, but only where that is so for all. */
    private static JwtDecision.Rejected tellsMore(int place, JwtDecision.Rejected last, JwtDecision next) {
        return isForm(next) && (place == 0 || !last.equals(UNKNOWN)) ? (JwtDecision.Rejected) next : UNKNOWN;
    }

    private static boolean isForm(JwtDecision decision) {
        return decision instanceof JwtDecision.Rejected(Reason reason, String _)
                && reason != Reason.UNKNOWN_KID
                && reason != Reason.WRONG_ISSUER;
    }

    private Verdict ofNobody(JwtDecision.Rejected last, String token, long now, TrustedIssuers.Known known) {
        issuers.wish();
        JwtDecision.Rejected told = last.equals(UNKNOWN) ? asItsIssuerSays(token, now, known) : last;
        return denied(told.reason(), told.detail());
    }

    /** Where they differ, the one that the token names knows best what is wrong with its form. */
    private JwtDecision.Rejected asItsIssuerSays(String token, long now, TrustedIssuers.Known known) {
        for (int i = 0; i < plain.size(); i++) {
            if (plain.get(i).isNamedBy(token)
                    && plain.get(i)
                                    .validateIfKnown(
                                            token, now, true, known.plain().get(i))
                                    .filter(Verifier::isForm)
                                    .orElse(UNKNOWN)
                            instanceof JwtDecision.Rejected said) {
                return said;
            }
        }
        return UNKNOWN;
    }

    private Verdict verdict(JwtDecision decision, int place, JwtTrust trust) {
        return switch (decision) {
            case JwtDecision.Rejected(Reason reason, String detail) -> denied(reason, detail);
            case JwtDecision.Accepted good -> {
                if (issuers.isTooOld(place)) {
                    yield denied(Reason.STALE_STATE, "the keys of this issuer have not been confirmed for hours");
                }
                Optional<String> tenant = good.tenant().or(() -> only(trust.tenants()));
                if (tenant.isEmpty()) {
                    yield denied(Reason.WRONG_TENANT, "the token names no tenant");
                }
                Principal who = new Principal(
                        good.iss(),
                        tenant.get(),
                        good.sub(),
                        good.clientId().orElse(""),
                        good.tokenId().orElse(""),
                        List.of(),
                        good.expiresAt());
                yield new Verdict.Allowed(who, good.roles(), Obligations.NONE, good.expiresAt());
            }
        };
    }

    private static Optional<String> only(Tenants tenants) {
        return !tenants.all() && tenants.ids().size() == 1
                ? tenants.ids().stream().findFirst()
                : Optional.empty();
    }

    private static Verdict verdict(Stage stage) {
        return switch (stage) {
            case Stage.Denied(Decision.Deny why) -> denied(why.reason(), why.detail());
            case Stage.RootUnproven root -> new Verdict.Cold(null, () -> verdict(root.proveRoot()));
            case Stage.BlocksUnproven blocks ->
                new Verdict.Cold(
                        new Verdict.Payer(blocks.issuer(), blocks.tenant(), blocks.tokenId(), blocks.signaturesLeft()),
                        () -> verdict(blocks.proveBlocks()));
            case Stage.Proven proven ->
                switch (proven.decide()) {
                    case Decision.Deny why -> denied(why.reason(), why.detail());
                    case Decision.Allow(Principal who, Obligations obligations) ->
                        new Verdict.Allowed(
                                who,
                                List.of(),
                                obligations,
                                proven.chain().claims().exp());
                };
        };
    }

    private static Verdict denied(Reason reason, String detail) {
        return new Verdict.Denied(Bearer.denied(reason, detail));
    }

    static Verdict overloaded() {
        return new Verdict.Denied(new RonException(
                Code.BUSY,
                Reason.OVERLOADED.wire(),
                "too many tokens that were not seen before; use one token for many requests",
                Duration.ofSeconds(1),
                null));
    }
}
