package dev.ron.admin.auth;

import dev.ron.admin.AuthConfig;
import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.service.keys.Circumstances;
import dev.ron.service.keys.ForeignIssuer;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.Tenants;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.Layout;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.Principal;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Mode passport: a token says who asks, an access token (RFC 9068) or a capability, in a header or in the cookie.
 *
 * <p>Decides from the known keys and revocations alone. Signatures are remembered, identities are not: expiry, revocation
 * and roles are looked at for every request.
 */
public final class PassportAuth implements Authenticator {
    private static final long CACHE_BYTES = 4L << 20;
    private static final int MAX_TOKEN = 8 << 10;
    private static final String BEARER = "Bearer ";

    private final String issuer;
    private final AuthConfig config;
    private final Roles roles;
    private final KeyRefresher keys;
    private final Optional<IssuerKeys> feed;
    private final Clock clock;
    private final AtJwtValidator jwts;
    private final TokenVerifier capabilities;

    /** @param feed the issuer's revocations; empty for an issuer that publishes none */
    public PassportAuth(
            String issuer, AuthConfig config, Roles roles, KeyRefresher keys, Optional<IssuerKeys> feed, Clock clock) {
        this.issuer = issuer;
        this.config = config;
        this.roles = roles;
        this.keys = keys;
        this.feed = feed;
        this.clock = clock;
        JwtConfig standard = JwtConfig.of(issuer, config.audience());
        // Revocations that are known stay in force while the issuer is away, as long as its keys do.
        JwtConfig patient = new JwtConfig(
                standard.issuer(),
                standard.audience(),
                algs(issuer, config, feed.isPresent()),
                false,
                config.allowUntyped(),
                standard.skewSeconds(),
                Set.of(),
                standard.rolePaths(),
                config.jwksMaxStale().toSeconds(),
                config.jwksMaxStale().toSeconds());
        this.jwts = new AtJwtValidator(patient, Signatures.best(), new SignatureCache(CACHE_BYTES));
        this.capabilities = new TokenVerifier(
                VerifierConfig.of(config.audience()), Signatures.best(), new SignatureCache(CACHE_BYTES));
    }

    /** An office may change the algorithm of its tokens by a reload; all that it can choose are taken of it. */
    private static Set<JwtAlg> algs(String issuer, AuthConfig config, boolean office) {
        Set<JwtAlg> named = ForeignIssuer.algs(config.algs());
        return office
                ? Stream.concat(named.stream(), JwtConfig.ofOffice(issuer, config.audience()).algs().stream())
                        .collect(Collectors.toUnmodifiableSet())
                : named;
    }

    @Override
    public Identity identify(RequestHead request) {
        List<String> header = request.headers().all("Authorization");
        if (header.size() > 1) {
            throw denied("bad_header", "more than one Authorization field");
        }
        if (!header.isEmpty()) {
            // A bad bearer is not rescued by a good cookie.
            if (!header.getFirst().startsWith(BEARER)) {
                throw denied("bad_header", "send Authorization: Bearer <token>");
            }
            return identify(header.getFirst().substring(BEARER.length()).strip(), request, false);
        }
        return identify(
                cookie(request).orElseThrow(() -> denied("missing_token", "sign in, or send a token")), request, true);
    }

    private Optional<String> cookie(RequestHead request) {
        String name = config.cookieName() + "=";
        return request.headers().all("Cookie").stream()
                .flatMap(line -> List.of(line.split(";", -1)).stream())
                .map(String::strip)
                .filter(pair -> pair.startsWith(name))
                .map(pair -> pair.substring(name.length()))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /** Who a token speaks for. */
    public Identity identify(String token, RequestHead request, boolean byCookie) {
        if (token.length() > MAX_TOKEN) {
            throw denied("too_long", "the token is too long");
        }
        return token.startsWith("pct1~") ? capability(token, request, byCookie) : jwt(token, byCookie);
    }

    private Identity jwt(String token, boolean byCookie) {
        if (!keys.usable() || feed.filter(f -> neverHeard(f)).isPresent()) {
            throw unavailable(trouble());
        }
        KeySet known = keys.keys();
        JwtTrust trust = new JwtTrust(
                known.keys().orElseThrow(() -> unavailable("no keys")),
                feed.flatMap(f -> f.state().issuer(issuer)).map(IssuerState::revocations),
                Tenants.ALL);
        long now = clock.now().getEpochSecond();
        return switch (jwts.validate(token, now, false, trust)) {
            case JwtDecision.Rejected(Reason reason, String detail) -> {
                if (reason == Reason.UNKNOWN_KID) {
                    keys.wish("unknown kid");
                }
                throw denied(reason.wire(), "the token is not good here");
            }
            case JwtDecision.Accepted accepted -> {
                requireShortLived(accepted.expiresAt(), now);
                yield new Identity(
                        accepted.sub(),
                        accepted.name().orElse(accepted.sub()),
                        roles.of(accepted.roles()),
                        accepted.roles(),
                        Optional.of(Instant.ofEpochSecond(accepted.expiresAt())),
                        byCookie);
            }
        };
    }

    private boolean neverHeard(IssuerKeys followed) {
        return followed.ageSeconds() > config.jwksMaxStale().toSeconds();
    }

    private void requireShortLived(long expiresAt, long now) {
        if (expiresAt - now > config.maxTokenLifetime().toSeconds()) {
            throw denied("lifetime", "the token lives longer than is allowed here");
        }
    }

    /** A capability gives the roles that its scope names; one without a scope gives none. */
    private Identity capability(String token, RequestHead request, boolean byCookie) {
        IssuerKeys followed = feed.orElseThrow(() -> denied("unknown_format", "capabilities are not taken here"));
        Set<Role> granted = EnumSet.noneOf(Role.class);
        Principal who = null;
        for (Role role : Role.values()) {
            String scope = "admin:" + role.word();
            RequestContext context =
                    Circumstances.of(request, clock).scope(scope).build();
            switch (capabilities.verify(token, context, followed.state())) {
                case Decision.Allow(Principal principal, Obligations obligations) -> {
                    if (!obligations.rates().isEmpty()
                            || !obligations.budgets().isEmpty()
                            || obligations.maxBodyBytes().isPresent()) {
                        throw denied("counted", "a token that must be counted is not taken here");
                    }
                    who = principal;
                    if (grants(token, scope)) {
                        granted.add(role);
                    }
                }
                case Decision.Deny deny -> {
                    if (deny.reason() == Reason.UNKNOWN_KID) {
                        keys.wish("unknown kid");
                    }
                    if (deny.reason() == Reason.STALE_STATE) {
                        throw unavailable("the issuer's revocations are too old");
                    }
                    if (deny.reason() != Reason.CAV_SCOPE) {
                        throw denied(deny.reason().wire(), "the token is not good here");
                    }
                }
            }
        }
        if (who == null) {
            throw new RonException(Code.FORBIDDEN, "forbidden", "the token names no role of the console");
        }
        return new Identity(
                who.sub(),
                who.sub(),
                granted,
                List.of(),
                Optional.of(Instant.ofEpochSecond(who.expiresAt())),
                byCookie);
    }

    /** Whether its issuer says so; a token that says nothing of scopes would otherwise be a master key. */
    private static boolean grants(String token, String scope) {
        try {
            return Chain.parse(Layout.of(token, Caps.DEFAULT), Caps.DEFAULT).grants(scope);
        } catch (Refused _) {
            return false;
        }
    }

    @Override
    public String mode() {
        return "passport";
    }

    @Override
    public String trouble() {
        if (feed.filter(this::neverHeard).isPresent()) {
            return "the issuer's revocations have not been heard";
        }
        return keys.usable()
                ? ""
                : "no usable keys of the issuer: " + keys.keys().trouble();
    }

    private static RonException denied(String reason, String detail) {
        return new RonException(Code.UNAUTHENTICATED, reason, detail);
    }

    private static RonException unavailable(String detail) {
        return new RonException(Code.UNAVAILABLE, "auth_unavailable", detail, Duration.ofSeconds(2), null);
    }
}
