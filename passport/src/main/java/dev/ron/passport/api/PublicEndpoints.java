package dev.ron.passport.api;

import dev.ron.http.message.QueryParams;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.client.Client;
import dev.ron.passport.office.Feed;
import dev.ron.passport.office.OfficeState;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.verify.PqMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** What verifiers read: keys, epoch, discovery, and the revocation feed. */
final class PublicEndpoints {
    static final int MAX_WAIT_SECONDS = 25;

    private final Supplier<OfficeState> office;
    private final Supplier<PqMode> pq;
    private final Supplier<JwtAlg> jwtAlg;
    private final Feed feed;
    private final Watch<Long> news;
    private final Door door;
    private final Clock clock;

    PublicEndpoints(
            Supplier<OfficeState> office,
            Supplier<PqMode> pq,
            Supplier<JwtAlg> jwtAlg,
            Feed feed,
            Watch<Long> news,
            Door door,
            Clock clock) {
        this.office = office;
        this.pq = pq;
        this.jwtAlg = jwtAlg;
        this.feed = feed;
        this.news = news;
        this.door = door;
        this.clock = clock;
    }

    Response jwks(Request request) {
        OfficeState state = office.get();
        boolean strict = pq.get() == PqMode.ENFORCE;
        JwtAlg plain = jwtAlg.get();
        if (!strict && plain != JwtAlg.ED25519) {
            return keys(request, state.jwks(), state.jwksTag());
        }
        String document = JwkSet.write(
                state.ring().published(),
                state.epoch(),
                state.revocations().globalFloor(),
                strict,
                (plain == JwtAlg.ED25519 ? plain : JwtAlg.EDDSA).wire());
        return keys(request, document, OfficeState.tag(document));
    }

    private static Response keys(Request request, String document, String tag) {
        return Answers.tagged(
                request,
                tag,
                "public, max-age=60",
                () -> Response.bytes(200, "application/jwk-set+json", document.getBytes(StandardCharsets.UTF_8)));
    }

    Response epoch(Request request) {
        OfficeState state = office.get();
        String tag = weakTag(state.epoch() + "." + state.revocations().globalFloor() + "." + state.seq());
        return Answers.tagged(
                request, tag, "no-cache", () -> Response.json(200, epoch(state).toString()));
    }

    private ObjectNode epoch(OfficeState state) {
        ObjectNode out = Answers.object();
        out.put("epoch", state.epoch());
        out.put("global_floor", state.revocations().globalFloor());
        out.put("seq", state.seq());
        out.put("ts", clock.now().getEpochSecond());
        return out;
    }

    /** Weak: the time in the document goes on while nothing else of it changes. */
    private static String weakTag(String version) {
        return "W/\"" + version + "\"";
    }

    Response discovery(Request request) {
        String issuer = office.get().issuer();
        ObjectNode out = Answers.object();
        out.put("issuer", issuer);
        out.put("jwks_uri", issuer + "/.well-known/jwks.json");
        out.put("token_endpoint", issuer + "/v1/passport/issue");
        out.put("introspection_endpoint", issuer + "/v1/passport/introspect");
        out.put("revocation_endpoint", issuer + "/v1/passport/revoke");
        out.putArray("response_types_supported");
        out.putArray("grant_types_supported");
        out.putArray("subject_types_supported").add("public");
        out.putArray("id_token_signing_alg_values_supported").add(jwtAlg.get().wire());
        out.putArray("token_endpoint_auth_methods_supported").add("bearer");
        return Answers.ok(out);
    }

    /** The revocations after {@code since}; with {@code wait} held until there are some. */
    Response revocations(Request request, FeedReaders readers) {
        Client client = door.requireAny(request);
        QueryParams query = request.queryParams();
        long since = query.number("since", 0, 0, Long.MAX_VALUE);
        long wait = query.number("wait", 0, 0, MAX_WAIT_SECONDS);
        boolean full = query.first("full").filter("true"::equals).isPresent();
        return readers.read(client.id(), () -> revocations(request, since, wait, full));
    }

    private Response revocations(Request request, long since, long wait, boolean full) {
        if (wait > 0 && !full) {
            await(
                    since,
                    Deadline.after(clock, Duration.ofSeconds(wait))
                            .min(request.context().deadline()));
        }
        // Who sends the tag learns only that there is no news: a verifier that is to stay fresh needs
        // the signed document.
        String tag = weakTag(Long.toString(office.get().seq()));
        return Answers.tagged(
                request, tag, "no-store", () -> Response.json(200, feed.document(full ? Long.MAX_VALUE : since)));
    }

    private void await(long since, Deadline deadline) {
        // The version before the value: news in between is then newer than what we wait for.
        long version = news.current().version();
        // Who is ahead of us knows an office that was lost: it gets the whole set, and not only once we have caught up.
        while (office.get().seq() == since) {
            var newer = news.awaitNewerThan(version, deadline);
            if (newer.isEmpty()) {
                return;
            }
            version = newer.get().version();
        }
    }
}
