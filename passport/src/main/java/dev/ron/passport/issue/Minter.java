package dev.ron.passport.issue;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.kms.KmsKey;
import dev.ron.passport.office.OfficeState;
import dev.ron.passport.policy.Policy;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.jwt.AccessTokenText;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.keys.Purpose;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import dev.ron.token.pct.Proof;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.pct.RootText;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Issues one token: policy, signature, release.
 *
 * <p>Nothing is signed without a policy in force, and nothing leaves that the floor has passed meanwhile: such a token
 * would be refused by every verifier anyway.
 */
public final class Minter {
    private static final int MANY_CAVEATS = 16;
    private final Supplier<OfficeState> office;
    private final Kms kms;
    private final Supplier<JwtAlg> jwtAlg;
    private final Clock clock;
    private final SecureRandom random;
    private final Signatures signatures = Signatures.best();

    public Minter(Supplier<OfficeState> office, Kms kms, Supplier<JwtAlg> jwtAlg, Clock clock, SecureRandom random) {
        this.office = office;
        this.kms = kms;
        this.jwtAlg = jwtAlg;
        this.clock = clock;
        this.random = random;
    }

    public Minted mint(Order order, Optional<Policy> inForce) {
        long now = clock.now().getEpochSecond();
        Policy policy = inForce.orElseThrow(Policy::missing);
        policy.requireInForce(now);
        OrderRules.require(order, policy);
        long ttl = OrderRules.ttl(order, policy, now);
        boolean hybrid = OrderRules.hybrid(order, policy);
        OfficeState state = office.get();
        Minted minted = order.format() == Order.Format.JWT
                ? jwt(order, policy, state, now, ttl)
                : capability(order, policy, state, now, ttl, hybrid);
        requireStillGood(minted, order.tenant());
        return minted;
    }

    private Minted capability(Order order, Policy policy, OfficeState state, long now, long ttl, boolean hybrid) {
        KmsKey key = state.ring().active(Purpose.PCT);
        Optional<KmsKey> pq = hybrid ? Optional.of(state.ring().active(Purpose.PCT_PQ)) : Optional.empty();
        List<Caveat> caveats = new ArrayList<>(order.inherited());
        caveats.addAll(order.caveats());
        HolderSeed seed = seed();
        Proof open = Proof.ofSeed(seed);
        Order.Holder holder = order.holder().orElseGet(() -> ours(seed, open, order.attenuable()));
        RootClaims claims = new RootClaims(
                state.issuer(),
                order.subject(),
                order.audiences(),
                order.tenant(),
                order.client().id(),
                now,
                now,
                now + ttl,
                Base64Url.encode(bytes(16)),
                state.epoch(),
                policy.version(),
                caveats,
                holder.commitment(),
                holder.nextKey(),
                pq.map(KmsKey::kid),
                order.confirmation());
        RootText text = RootText.of(key.kid(), claims);
        RootText.Signed signed = text.sign(kms.sign(key, text.signingInput()));
        if (pq.isPresent()) {
            String pqKid = pq.get().kid();
            signed = signed.withCoSignature(pqKid, kms.sign(pq.get(), signed.coSigningInput(pqKid)));
        }
        String whole = signed.withProof(order.attenuable() ? open : open.seal());
        if (whole.length() > Caps.ALWAYS_READABLE_CHARS || caveats.size() > MANY_CAVEATS) {
            requireReadable(whole);
        }
        String token = order.holder().isPresent() ? signed.withoutProof() : whole;
        return new Minted(
                token,
                Order.Format.PCT,
                claims.jti(),
                key.kid(),
                hybrid,
                claims.epoch(),
                policy.version(),
                now,
                claims.exp(),
                caveats,
                order.hybrid() && !hybrid,
                order.attenuable());
    }

    private Order.Holder ours(HolderSeed seed, Proof open, boolean attenuable) {
        return new Order.Holder(
                open.commitment(), attenuable ? Optional.of(seed.nextKey(signatures)) : Optional.empty());
    }

    /** What verifiers would refuse for its form is not given out. */
    private static void requireReadable(String token) {
        try {
            Pct.parse(token, Caps.DEFAULT);
        } catch (Refused refused) {
            throw OrderRules.bad("caveat_out_of_bounds", "verifiers would not accept it: " + refused.detail());
        }
    }

    private Minted jwt(Order order, Policy policy, OfficeState state, long now, long ttl) {
        JwtAlg alg = jwtAlg.get();
        KmsKey key = state.ring().active(alg == JwtAlg.ES256 ? Purpose.JWT_ES256 : Purpose.JWT);
        String scope = String.join(" ", order.scope().orElse(List.of()));
        AccessTokenText.Claims claims = new AccessTokenText.Claims(
                state.issuer(),
                order.subject(),
                order.audiences(),
                order.client().id(),
                now,
                now,
                now + ttl,
                Base64Url.encode(bytes(16)),
                scope,
                order.tenant(),
                state.epoch(),
                List.of(),
                List.of(),
                Optional.empty());
        AccessTokenText text = AccessTokenText.of(alg, key.kid(), claims);
        String token = text.sign(kms.sign(key, text.signingInput()));
        return new Minted(
                token,
                Order.Format.JWT,
                claims.jti(),
                key.kid(),
                false,
                claims.epoch(),
                policy.version(),
                now,
                claims.exp(),
                order.caveats(),
                false,
                false);
    }

    private void requireStillGood(Minted minted, String tenant) {
        OfficeState after = office.get();
        if (minted.epoch() < after.revocations().floor(tenant)
                || after.revocations().isKeyRevoked(minted.kid())) {
            throw new RonException(
                    Code.UNAVAILABLE,
                    "epoch_changed",
                    "the epoch moved while the token was signed",
                    Duration.ofSeconds(1),
                    null);
        }
    }

    private HolderSeed seed() {
        byte[] secret = bytes(HolderSeed.SIZE);
        HolderSeed seed = new HolderSeed(secret);
        Arrays.fill(secret, (byte) 0);
        return seed;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
