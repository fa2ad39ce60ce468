package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.TokenKey;
import dev.ron.token.pct.Block;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.CoSignature;
import dev.ron.token.pct.RootClaims;
import org.jspecify.annotations.Nullable;

/**
 * The cheap rules, run on every request before any signature: is this a token we could accept now, and with which keys
 * must it be signed?
 */
final class Standing {
    private final VerifierConfig config;

    Standing(VerifierConfig config) {
        this.config = config;
    }

    SigningKeys require(Chain chain, RequestContext request, KeyState state) throws Refused {
        RootClaims claims = chain.claims();
        IssuerState issuer = state.issuer(claims.iss())
                .orElseThrow(() -> new Refused(Reason.WRONG_ISSUER, "issuer is not among the trusted ones"));
        requireFresh(issuer.revocations(), request);
        SigningKeys keys = signingKeys(chain, issuer);
        requireAddressedToUs(claims, request, issuer);
        requireTime(claims, request.now);
        requireNotRevoked(chain, issuer.revocations());
        requirePq(chain, issuer);
        return keys;
    }

    /** Without news from the issuer a revocation may have been missed: first writes stop, then everything. */
    private void requireFresh(Revocations revocations, RequestContext request) throws Refused {
        long age = revocations.age(request.now);
        long limit = request.reads ? config.staleAllSeconds() : config.staleWritesSeconds();
        if (age > limit) {
            throw new Refused(Reason.STALE_STATE, "revocations are " + age + " s old (at most " + limit + " s)");
        }
    }

    private static SigningKeys signingKeys(Chain chain, IssuerState issuer) throws Refused {
        TokenKey rootKey = usable(issuer, chain.root().kid(), Purpose.PCT, Reason.UNKNOWN_KID);
        if (!(rootKey.key() instanceof Ed25519Key root)) {
            throw new Refused(Reason.ALG_REFUSED, "the root's key is not an Ed25519 key");
        }
        @Nullable MlDsaKey pq = null;
        if (chain.coSignature().isPresent()) {
            CoSignature coSignature = chain.coSignature().get();
            TokenKey pqKey = usable(issuer, coSignature.kid(), Purpose.PCT_PQ, Reason.PQ_INVALID);
            if (!(pqKey.key() instanceof MlDsaKey mlDsa)) {
                throw new Refused(Reason.ALG_REFUSED, "the co-signature's key is not an ML-DSA-65 key");
            }
            pq = mlDsa;
        }
        return new SigningKeys(root, pq);
    }

    private static TokenKey usable(IssuerState issuer, String kid, Purpose purpose, Reason unknown) throws Refused {
        TokenKey key = issuer.key(kid, purpose)
                .orElseThrow(() -> new Refused(unknown, "no key " + kid + " for " + purpose.wire()));
        if (key.status() == dev.ron.token.keys.KeyStatus.REVOKED
                || issuer.revocations().isKeyRevoked(kid)) {
            throw new Refused(Reason.REVOKED, "key " + kid + " is revoked");
        }
        if (!key.status().verifies()) {
            throw new Refused(unknown, "key " + kid + " is no longer in use");
        }
        return key;
    }

    private void requireAddressedToUs(RootClaims claims, RequestContext request, IssuerState issuer) throws Refused {
        if (!claims.aud().contains(config.audience())) {
            throw new Refused(Reason.WRONG_AUDIENCE, "token is not for " + config.audience());
        }
        if (!issuer.tenants().include(claims.tenant())) {
            throw new Refused(Reason.WRONG_TENANT, "issuer may not speak for this tenant");
        }
        if (request.tenant != null && !request.tenant.equals(claims.tenant())) {
            throw new Refused(Reason.WRONG_TENANT, "token belongs to another tenant than the request");
        }
    }

    private void requireTime(RootClaims claims, long now) throws Refused {
        long late = now - claims.exp();
        if (late > config.skewSeconds()) {
            throw new Refused(Reason.EXPIRED, "token expired " + late + " s ago");
        }
        long early = claims.nbf() - now;
        if (early > config.skewSeconds()) {
            throw new Refused(Reason.NOT_YET_VALID, "token is valid in " + early + " s");
        }
    }

    private void requireNotRevoked(Chain chain, Revocations revocations) throws Refused {
        RootClaims claims = chain.claims();
        long floor = revocations.floor(claims.tenant());
        if (claims.epoch() < floor) {
            throw new Refused(Reason.EPOCH_FLOOR, "token is of epoch " + claims.epoch() + ", the floor is " + floor);
        }
        if (revocations.isRevoked(claims.jti())) {
            throw new Refused(Reason.REVOKED, "token id is revoked");
        }
        if (revocations.isSubjectRevoked(claims.tenant(), claims.sub(), claims.iat(), config.skewSeconds())) {
            throw new Refused(Reason.REVOKED, "subject is revoked");
        }
        for (Block block : chain.blocks()) {
            if (revocations.isRevoked(block.id())) {
                throw new Refused(Reason.REVOKED, "branch is revoked");
            }
        }
    }

    private void requirePq(Chain chain, IssuerState issuer) throws Refused {
        if (config.pq() != PqMode.ENFORCE && !issuer.pqRequired()) {
            return;
        }
        if (chain.coSignature().isEmpty()) {
            throw new Refused(Reason.PQ_MISSING, "only co-signed tokens are accepted");
        }
        if (!chain.blocks().isEmpty() && !config.classicalBlocks()) {
            throw new Refused(Reason.ALG_REFUSED, "blocks signed without post-quantum protection are not accepted");
        }
    }
}
