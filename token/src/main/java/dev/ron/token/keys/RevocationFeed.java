package dev.ron.token.keys;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an issuer tells its verifiers: the revocations since a sequence number, and as of when.
 *
 * <p>Signed by the feed key as a JWS with detached payload over the document in canonical form, so that a cache or relay
 * can neither forge an entry nor make an old answer look fresh.
 *
 * @param since the sequence number the entries follow; 0 with {@code full}
 * @param full true if the entries are the whole state, not an addition to it
 * @param asOf the second at which the issuer said this
 */
public record RevocationFeed(
        String iss, long since, long seq, long oldestSeq, boolean full, long asOf, List<FeedEntry> entries) {
    public static final int MAX_BYTES = 32 * 1024 * 1024;

    private static final long MAX = (1L << 53) - 1;
    private static final String TYPE = "pct-feed+jwt";

    public RevocationFeed {
        entries = List.copyOf(entries);
    }

    /** What the feed key {@code kid} must sign. */
    public byte[] signingInput(String kid) {
        return signed(header(kid));
    }

    /** The document to send. */
    public String sign(String kid, byte[] signature) {
        String jws = header(kid) + ".." + Base64Url.encode(signature);
        return text(Optional.of(jws));
    }

    /** Reads a document and checks its signature with the issuer's feed keys. */
    public static RevocationFeed parse(byte[] document, IssuerState issuer, Signatures signatures) throws Refused {
        List<FeedEntry> entries = new ArrayList<>();
        // Items of another list than the entries may be among them now: that list is refused below, and all with it.
        Json.Obj object =
                StrictJson.OWN.object(document, MAX_BYTES, "feed", entry -> entries.add(FeedEntry.parse(entry)));
        Members members = new Members(object, "feed");
        String jws = members.string("sig", 1, 512);
        members.array("entries", 0, 0);
        RevocationFeed feed = new RevocationFeed(
                members.string("iss", 1, 128),
                members.integer("since", 0, MAX),
                members.integer("seq", 0, MAX),
                members.integer("oldest_seq", 0, MAX),
                members.any("full").equals(Optional.of(new Json.Bool(true))),
                members.integer("as_of", 0, MAX),
                entries);
        members.end();
        feed.requireSignature(jws, issuer, signatures);
        if (!feed.iss.equals(issuer.iss())) {
            throw new Refused(Reason.WRONG_ISSUER, "feed is of another issuer");
        }
        return feed;
    }

    private void requireSignature(String jws, IssuerState issuer, Signatures signatures) throws Refused {
        int dots = jws.indexOf("..");
        if (dots < 0) {
            throw new Refused(Reason.MALFORMED, "feed: sig must be a JWS with detached payload");
        }
        String header = jws.substring(0, dots);
        Members members =
                new Members(StrictJson.OWN.object(Base64Url.decode(header, "feed sig"), 256, "feed sig"), "feed sig");
        members.constant("alg", "Ed25519", Reason.ALG_REFUSED);
        members.constant("typ", TYPE, Reason.WRONG_TYPE);
        String kid = members.string("kid", 16, 16);
        members.end();
        TokenKey key = issuer.key(kid, Purpose.FEED)
                .filter(candidate -> candidate.status().verifies())
                .orElseThrow(() -> new Refused(Reason.UNKNOWN_KID, "no feed key of that id"));
        byte[] input = signed(header);
        byte[] signature = Base64Url.decode(jws.substring(dots + 2), "feed sig");
        if (!(key.key() instanceof Ed25519Key ed) || !signatures.verify(ed, input, signature)) {
            throw new Refused(Reason.BAD_SIGNATURE, "the feed's signature does not match");
        }
    }

    /**
     * The state after this feed, for a verifier that stands at {@code seq} and hears it at the second {@code now} of its
     * own clock. Refuses an answer that is older than what is known, is dated in the future, or does not follow on: the
     * verifier then asks for the full set.
     */
    public Revocations applyTo(Revocations current, long currentSeq, long now) throws Refused {
        // Believed, it would refuse every right one until its hour has come.
        if (asOf - now > Revocations.CLOCK_SKEW_SECONDS) {
            throw new Refused(Reason.STALE_STATE, "feed is dated " + (asOf - now) + " s in the future");
        }
        // A state of the future means that the own clock was set back. What is newer by it cannot be told any more, and
        // no news would be heard for as long: the whole set begins anew.
        boolean setBack = current.asOf() - now > Revocations.CLOCK_SKEW_SECONDS;
        if (asOf < current.asOf() && !(setBack && full)) {
            throw new Refused(Reason.STALE_STATE, "feed is " + (current.asOf() - asOf) + " s older than the state");
        }
        if (!full && since != currentSeq) {
            throw new Refused(Reason.STALE_STATE, "feed follows " + since + ", the state is at " + currentSeq);
        }
        Revocations base = full ? Revocations.none(asOf) : current;
        return base.with(entries.stream().map(FeedEntry::revocation).toList(), asOf)
                .heardAt(now);
    }

    /** The document in canonical form, written entry by entry: a tree of all of them takes ten times the room. */
    private String text(Optional<String> jws) {
        StringBuilder out = new StringBuilder(128 * (entries.size() + 8));
        out.append("{\"as_of\":").append(asOf).append(",\"entries\":[");
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            CanonicalJson.append(out, entries.get(i).toJson());
        }
        out.append("],\"full\":").append(full).append(",\"iss\":");
        CanonicalJson.append(out, new Json.Str(iss));
        out.append(",\"oldest_seq\":").append(oldestSeq).append(",\"seq\":").append(seq);
        jws.ifPresent(text -> CanonicalJson.append(out.append(",\"sig\":"), new Json.Str(text)));
        return out.append(",\"since\":").append(since).append('}').toString();
    }

    private static String header(String kid) {
        return Base64Url.encode(CanonicalJson.write(new Json.Obj(
                Map.of("alg", new Json.Str("Ed25519"), "kid", new Json.Str(kid), "typ", new Json.Str(TYPE)))));
    }

    private byte[] signed(String header) {
        byte[] payload = Base64Url.encodeAscii(text(Optional.empty()).getBytes(StandardCharsets.UTF_8));
        byte[] start = (header + ".").getBytes(StandardCharsets.US_ASCII);
        byte[] input = Arrays.copyOf(start, start.length + payload.length);
        System.arraycopy(payload, 0, input, start.length, payload.length);
        return input;
    }
}
