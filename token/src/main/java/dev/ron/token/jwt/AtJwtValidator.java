package dev.ron.token.jwt;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.json.Json;
import dev.ron.token.keys.Jwk;
import dev.ron.token.keys.Purpose;
import dev.ron.token.verify.SignatureCache;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks RFC 9068 access tokens of this and other issuers (Keycloak, Ory, Dex, Entra).
 *
 * <p>Like the capability verifier it remembers signatures only; claims are judged on every call.
 */
public final class AtJwtValidator {
    private final JwtConfig config;
    private final Signatures signatures;
    private final SignatureCache cache;
    private final JwtClaimRules rules;

    public AtJwtValidator(JwtConfig config, Signatures signatures, SignatureCache cache) {
        this.config = config;
        this.signatures = signatures;
        this.cache = cache;
        this.rules = new JwtClaimRules(config);
    }

    /** @param reads whether the request changes nothing: it may go on for longer without news of revocations */
    public JwtDecision validate(String token, long now, boolean reads, JwtTrust trust) {
        try {
            JwtText text = JwtText.parse(token);
            JwtHeader header = JwtHeader.parse(text.header(), config);
            VerifyingKey key = key(header, trust);
            Json.Obj claims = proven(token, text, header, key);
            return rules.accept(claims, now, reads, trust);
        } catch (Refused refused) {
            return new JwtDecision.Rejected(refused.reason(), refused.detail());
        }
    }

    /**
     * The same where it needs no signature check: the signature was seen before, or the token is refused without it.
     * Empty where {@link #validate} would have to check it.
     */
    public Optional<JwtDecision> validateIfKnown(String token, long now, boolean reads, JwtTrust trust) {
        try {
            JwtText text = JwtText.parse(token);
            VerifyingKey key = key(JwtHeader.parse(text.header(), config), trust);
            Optional<Json.Obj> known = cache.provenClaims(token, key);
            return known.isEmpty() ? Optional.empty() : Optional.of(rules.accept(known.get(), now, reads, trust));
        } catch (Refused refused) {
            return Optional.of(new JwtDecision.Rejected(refused.reason(), refused.detail()));
        }
    }

    /** The services a token says it is for, before anything of it has been checked. */
    public static List<String> claimedAudiences(String token) {
        try {
            Json audience = JwtText.parse(token).claims().members().get("aud");
            Stream<Json> all =
                    audience instanceof Json.Arr(List<Json> items) ? items.stream() : Stream.ofNullable(audience);
            return all.filter(Json.Str.class::isInstance)
                    .map(name -> ((Json.Str) name).value())
                    .toList();
        } catch (Refused _) {
            return List.of();
        }
    }

    /** Whether a token says it is of this validator's issuer, before anything of it has been checked. */
    public boolean isNamedBy(String token) {
        try {
            return new Json.Str(config.issuer())
                    .equals(JwtText.parse(token).claims().members().get("iss"));
        } catch (Refused _) {
            return false;
        }
    }

    private Json.Obj proven(String token, JwtText text, JwtHeader header, VerifyingKey key) throws Refused {
        Optional<Json.Obj> known = cache.provenClaims(token, key);
        if (known.isPresent()) {
            return known.get();
        }
        if (!header.alg().verify(signatures, key, text.signingInput(), text.signature())) {
            throw new Refused(Reason.BAD_SIGNATURE, "the signature does not match");
        }
        Json.Obj claims = text.claims();
        cache.provenClaims(token, key, claims);
        return claims;
    }

    private VerifyingKey key(JwtHeader header, JwtTrust trust) throws Refused {
        if (trust.keys().pqRequired()) {
            throw new Refused(
                    Reason.PQ_MISSING, "the issuer co-signs everything, and an access token has no place for it");
        }
        Jwk jwk = find(header, trust.keys().keys());
        // The feed is quicker than the published set.
        if (jwk.kid().isPresent()
                && trust.revocations()
                        .filter(known -> known.isKeyRevoked(jwk.kid().get()))
                        .isPresent()) {
            throw new Refused(Reason.REVOKED, "key " + jwk.kid().get() + " is revoked");
        }
        return jwk.key();
    }

    private Jwk find(JwtHeader header, List<Jwk> keys) throws Refused {
        List<Jwk> usable =
                keys.stream().filter(jwk -> isUsable(jwk, header.alg())).toList();
        if (header.kid().isPresent()) {
            return usable.stream()
                    .filter(jwk -> jwk.kid().equals(header.kid()))
                    .findFirst()
                    .orElseThrow(() -> new Refused(
                            Reason.UNKNOWN_KID,
                            "no key of that id for " + header.alg().wire()));
        }
        if (!config.allowMissingKid() || usable.size() != 1) {
            throw new Refused(Reason.UNKNOWN_KID, "header has no kid");
        }
        return usable.getFirst();
    }

    /** Type, stated algorithm and purpose of the key must all agree: a capability key never vouches for a JWT. */
    private static boolean isUsable(Jwk jwk, JwtAlg alg) {
        boolean purpose = jwk.purpose().orElse(Purpose.JWT) == Purpose.JWT;
        return purpose && alg.fits(jwk.key()) && agrees(jwk.alg(), alg);
    }

    private static boolean agrees(Optional<String> stated, JwtAlg alg) {
        if (stated.isEmpty() || stated.get().equals(alg.wire())) {
            return true;
        }
        // EdDSA and Ed25519 are two names of one algorithm once the key's curve is known (RFC 9864).
        Optional<JwtAlg> other = JwtAlg.of(stated.get());
        return isEd(alg) && other.isPresent() && isEd(other.get());
    }

    private static boolean isEd(JwtAlg alg) {
        return alg == JwtAlg.EDDSA || alg == JwtAlg.ED25519;
    }
}
