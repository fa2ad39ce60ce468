package dev.ron.bench.fairness;

import dev.ron.http.message.Response;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.TokenKey;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Proof;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.pct.RootText;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An issuer of tokens for the tenants of the run. */
final class Office {
    static final String ISS = "https://bench.test";

    private final SecureRandom random = new SecureRandom();
    private final Signatures signatures = Signatures.best();
    private final byte[] seed = bytes();
    private final byte[] feedSeed = bytes();
    private final Ed25519Key key = Signatures.publicKey(seed);
    private final Ed25519Key feedKey = Signatures.publicKey(feedSeed);

    private byte[] bytes() {
        byte[] made = new byte[32];
        random.nextBytes(made);
        return made;
    }

    void addTo(Routes routes) {
        StreamHandler keys = exchange -> exchange.respond(Response.json(
                200,
                JwkSet.write(
                        List.of(
                                new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, key),
                                new TokenKey(Purpose.FEED, KeyStatus.ACTIVE, feedKey)),
                        1,
                        0)));
        StreamHandler feed = exchange -> {
            int wait = exchange.query().contains("wait=") ? 2_000 : 0;
            exchange.loop().schedule(() -> exchange.respond(Response.json(200, feed())), wait, TimeUnit.MILLISECONDS);
        };
        routes.get("/.well-known/jwks.json", keys).get("/v1/passport/revocations", feed);
    }

    private String feed() {
        RevocationFeed feed = new RevocationFeed(ISS, 0, 0, 0, true, now(), List.of());
        return feed.sign(feedKey.kid(), signatures.sign(feedSeed, feed.signingInput(feedKey.kid())));
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    String token(String tenant) {
        HolderSeed holder = new HolderSeed(bytes());
        long now = now();
        RootClaims claims = new RootClaims(
                ISS,
                "user",
                List.of("svc-gateway"),
                tenant,
                "bench",
                now,
                now,
                now + 7200,
                Base64Url.encode(java.util.Arrays.copyOf(bytes(), 16)),
                1,
                1,
                List.of(),
                Base64Url.encode(HolderSeed.commitment(holder.opening())),
                Optional.of(holder.nextKey().encoded()),
                Optional.empty(),
                Optional.empty());
        RootText text = RootText.of(key.kid(), claims);
        return text.sign(signatures.sign(seed, text.signingInput())).withProof(Proof.ofSeed(holder));
    }

    /** One more that its holder makes from it, without asking anybody. */
    String attenuated(String token) {
        try {
            return new Attenuator(signatures, Caps.DEFAULT)
                    .attenuate(token, List.of(new Caveat.Expires(now() + 3600)), now(), random);
        } catch (Refused e) {
            throw new IllegalStateException(e);
        }
    }
}
