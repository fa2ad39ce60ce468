package dev.ron.gateway;

import dev.ron.http.testing.RawServer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.jwt.AccessTokenText;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocation;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A passport office on a real port: publishes keys and revocations, and signs whatever a test asks for. */
public final class TestOffice implements AutoCloseable {
    public static final String ISS = "https://office.test";

    private final SecureRandom random = new SecureRandom();
    private final Signatures signatures = Signatures.portable();
    private final byte[] seed = bytes();
    private final byte[] plainSeed = bytes();
    private final byte[] feedSeed = bytes();
    private final Ed25519Key key = Signatures.publicKey(seed);
    private final Ed25519Key plainKey = Signatures.publicKey(plainSeed);
    private final Ed25519Key feedKey = Signatures.publicKey(feedSeed);
    private final List<FeedEntry> revoked = new CopyOnWriteArrayList<>();
    private final Semaphore news = new Semaphore(0);
    private final RawServer server = new RawServer((peer, number) -> {
        for (String asked = peer.readRequest(); !asked.isEmpty(); asked = peer.readRequest()) {
            if (asked.contains("&wait=")) {
                news.tryAcquire(100, TimeUnit.MILLISECONDS); // as an office holds back its answer until there is news
            }
            String body = asked.startsWith("GET /.well-known/jwks.json") ? keys() : feed();
            peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body);
        }
    });

    private byte[] bytes() {
        byte[] made = new byte[32];
        random.nextBytes(made);
        return made;
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    private String keys() {
        return JwkSet.write(
                List.of(
                        new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, key),
                        new TokenKey(Purpose.JWT, KeyStatus.ACTIVE, plainKey),
                        new TokenKey(Purpose.FEED, KeyStatus.ACTIVE, feedKey)),
                1,
                0);
    }

    /** Always the whole set, as of now. */
    private String feed() {
        RevocationFeed feed = new RevocationFeed(ISS, 0, revoked.size(), 0, true, now(), List.copyOf(revoked));
        return feed.sign(feedKey.kid(), signatures.sign(feedSeed, feed.signingInput(feedKey.kid())));
    }

    /** The configuration by which a gateway trusts this office. */
    public String trusted() {
        return "[gateway.auth]\nkeys_url = \"http://127.0.0.1:" + server.port() + "\"\nissuer = \"" + ISS + "\"\n";
    }

    public String token(String tenant, Caveat... caveats) {
        return token(tenant, id(), 900, caveats);
    }

    public String id() {
        byte[] id = new byte[16];
        random.nextBytes(id);
        return Base64Url.encode(id);
    }

    public String token(String tenant, String id, long seconds, Caveat... caveats) {
        HolderSeed holder = new HolderSeed(bytes());
        long now = now();
        RootClaims claims = new RootClaims(
                ISS,
                "user-1",
                List.of("svc-gateway"),
                tenant,
                "client",
                now,
                now,
                now + seconds,
                id,
                1,
                1,
                List.of(caveats),
                Base64Url.encode(HolderSeed.commitment(holder.opening())),
                Optional.of(holder.nextKey().encoded()),
                Optional.empty(),
                Optional.empty());
        RootText text = RootText.of(key.kid(), claims);
        return text.sign(signatures.sign(seed, text.signingInput())).withProof(Proof.ofSeed(holder));
    }

    /** The same token with one more block, as a holder makes it without asking. */
    public String attenuated(String token) {
        try {
            return new Attenuator(signatures, Caps.DEFAULT)
                    .attenuate(token, List.of(new Caveat.Expires(now() + 600)), now(), random);
        } catch (dev.ron.token.Refused e) {
            throw new AssertionError(e);
        }
    }

    public String plainToken(String tenant) {
        AccessTokenText text = AccessTokenText.of(
                JwtAlg.EDDSA,
                plainKey.kid(),
                new AccessTokenText.Claims(
                        ISS,
                        "user-2",
                        List.of("svc-gateway"),
                        "client",
                        now(),
                        now(),
                        now() + 600,
                        id(),
                        "read",
                        tenant,
                        1,
                        List.of("reader"),
                        List.of(),
                        Optional.empty()));
        return text.sign(signatures.sign(plainSeed, text.signingInput()));
    }

    public void revoke(String id) {
        revoked.add(new FeedEntry(revoked.size() + 1L, new Revocation.Id(id, now() + 900), "test"));
        news.release();
    }

    public static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    @Override
    public void close() {
        server.close();
    }
}
