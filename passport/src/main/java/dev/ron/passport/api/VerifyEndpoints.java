package dev.ron.passport.api;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.QueryParams;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.client.Right;
import dev.ron.passport.issue.Minted;
import dev.ron.passport.issue.Order;
import dev.ron.service.keys.Bearer;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.verify.Decision;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Verify, verify in batches, introspect, attenuate: what needs no writer and goes on when issuing cannot. */
final class VerifyEndpoints {
    private final Door door;
    private final Inspector inspector;
    private final Judge judge;
    private final Clock clock;
    private final Counter<Order, Minted> counter;
    private final IntSupplier maxBatch;
    private final SecureRandom random;
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final StrictJson json = new StrictJson();

    /** A batch. */
    record Batch(List<Judge.Item> items) {}

    /** A token to narrow. */
    record Narrowing(
            String token,
            Optional<List<JsonNode>> caveats,
            Optional<Boolean> seal,
            Optional<Boolean> remint,
            Optional<Long> ttlS,
            Optional<List<String>> acceptAlgs) {}

    /** A token to introspect. */
    record Asked(String token, Optional<String> tokenTypeHint) {}

    VerifyEndpoints(
            Door door,
            Inspector inspector,
            Clock clock,
            Counter<Order, Minted> counter,
            IntSupplier maxBatch,
            SecureRandom random) {
        this.door = door;
        this.inspector = inspector;
        this.judge = new Judge(inspector, clock);
        this.clock = clock;
        this.counter = counter;
        this.maxBatch = maxBatch;
        this.random = random;
    }

    Response verify(Request request) {
        door.require(request, Right.VERIFY);
        Answers.requireJson(request);
        return Answers.ok(judge.judged(json.read(request.body(), Judge.Item.class)));
    }

    Response verifyBatch(Request request) {
        door.require(request, Right.VERIFY);
        Answers.requireJson(request);
        List<Judge.Item> items = items(request.body());
        if (items.size() > maxBatch.getAsInt()) {
            throw new RonException(
                    Code.OVER_LIMIT,
                    "over_limit",
                    items.size() + " items (expected: at most " + maxBatch.getAsInt() + ": passport.limits.max_batch)");
        }
        ObjectNode out = Answers.object();
        ArrayNode results = out.putArray("results");
        items.forEach(item -> results.add(judge.judgedAlone(item)));
        return Answers.ok(out);
    }

    /** {@code {"items":[...]}}, or the list alone. */
    private List<Judge.Item> items(byte[] body) {
        boolean bare = new String(body, StandardCharsets.UTF_8).stripLeading().startsWith("[");
        return bare
                ? List.of(json.read(body, Judge.Item[].class))
                : json.read(body, Batch.class).items();
    }

    /** RFC 7662: a form or JSON; whatever is wrong with a token, the answer is only that it is not active. */
    Response introspect(Request request) {
        door.require(request, Right.INTROSPECT);
        Optional<String> token = introspected(request);
        if (token.isEmpty() || token.get().isEmpty()) {
            return Response.json(400, "{\"error\":\"invalid_request\",\"error_description\":\"token is missing\"}")
                    .withHeader("Cache-Control", "no-store");
        }
        ObjectNode out = Answers.object();
        if (Inspector.isAccessToken(token.get())) {
            JwtDecision decision =
                    inspector.accessToken(token.get(), clock.now().getEpochSecond());
            out.put("active", decision instanceof JwtDecision.Accepted);
            if (decision instanceof JwtDecision.Accepted good) {
                out.put("token_type", "Bearer");
                out.setAll(Judge.plain(good));
                List<String> audiences = AtJwtValidator.claimedAudiences(token.get());
                if (audiences.size() == 1) {
                    out.put("aud", audiences.getFirst());
                } else {
                    audiences.forEach(out.putArray("aud")::add);
                }
            }
            return Answers.ok(out);
        }
        Inspector.Finding finding =
                inspector.inspect(token.get(), Inspector.claimedAudience(token.get()), judge.withoutRequest(), false);
        out.put("active", finding.decision() instanceof Decision.Allow);
        if (finding.decision() instanceof Decision.Allow allow
                && finding.chain().isPresent()) {
            RootClaims claims = finding.chain().get().claims();
            out.put("token_type", "pct");
            out.put("client_id", claims.clientId());
            out.put("sub", claims.sub());
            ArrayNode aud = out.putArray("aud");
            claims.aud().forEach(aud::add);
            out.put("iss", claims.iss());
            out.put("jti", claims.jti());
            out.put("iat", claims.iat());
            out.put("nbf", claims.nbf());
            out.put("exp", allow.principal().expiresAt());
            out.put("tid", claims.tenant());
            out.put("epoch", claims.epoch());
        }
        return Answers.ok(out);
    }

    private Optional<String> introspected(Request request) {
        String type = request.headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("application/x-www-form-urlencoded")) {
            return QueryParams.parse(request.bodyText()).first("token");
        }
        Answers.requireJson(request);
        return Optional.of(json.read(request.body(), Asked.class).token());
    }

    Response attenuate(Request request) {
        Answers.requireJson(request);
        Narrowing asked = json.read(request.body(), Narrowing.class);
        if (asked.remint().orElse(false)) {
            return remint(door.require(request, Right.ISSUE), asked);
        }
        door.require(request, Right.VERIFY);
        if (asked.ttlS().isPresent() || asked.acceptAlgs().isPresent()) {
            throw Inputs.bad(
                    "bad_request", "ttl_s and accept_algs go with remint; narrow the time by a caveat: ttl=60");
        }
        long now = clock.now().getEpochSecond();
        List<Caveat> caveats = Inputs.caveats(asked.caveats(), now);
        if (caveats.isEmpty()) {
            throw Inputs.bad("bad_request", "caveats (expected: at least one)");
        }
        try {
            boolean seal = asked.seal().orElse(false);
            String token = seal
                    ? attenuator.attenuateFinally(asked.token(), caveats, now, random)
                    : attenuator.attenuate(asked.token(), caveats, now, random);
            int blocks = dev.ron.token.pct.Pct.parse(token, Caps.DEFAULT)
                    .chain()
                    .blocks()
                    .size();
            return Answers.ok(
                    Answers.object().put("token", token).put("blocks", blocks).put("sealed", seal));
        } catch (Refused refused) {
            // The text is the body here, not the caller's credential: whatever is wrong with it is a bad request.
            throw refused.reason().kind() == Reason.Kind.REQUEST
                    ? Bearer.denied(refused.reason(), refused.detail())
                    : Inputs.bad(refused.reason().wire(), refused.detail());
        }
    }

    /** A new root in place of a chain: everything the chain forbids stays forbidden, and it ends no later. */
    private Response remint(Caller caller, Narrowing asked) {
        long now = clock.now().getEpochSecond();
        Inspector.Finding finding = inspector.inspect(
                asked.token(), Inspector.claimedAudience(asked.token()), judge.withoutRequest(), false);
        if (!(finding.decision() instanceof Decision.Allow allow)
                || finding.chain().isEmpty()) {
            Decision.Deny deny = (Decision.Deny) finding.decision();
            throw Inputs.bad(deny.reason().wire(), deny.detail());
        }
        Chain chain = finding.chain().get();
        List<Caveat> inherited = new ArrayList<>(caller.inherited());
        chain.caveats().forEach(placed -> inherited.add(placed.caveat()));
        if (Caveat.Scope.common(chain.claims().caveats()).isEmpty()
                && Caveat.Scope.common(inherited).isPresent()) {
            // A limit that a holder wrote would be the issuer's word in a new root, and open what only that opens.
            throw Inputs.bad("bad_request", "token (expected: a scope in its root, where one is to be kept)");
        }
        long until = Math.min(allow.principal().expiresAt(), caller.notAfter());
        boolean attenuable = !asked.seal().orElse(false);
        Order order = new Order(
                caller.client(),
                chain.claims().sub(),
                chain.claims().aud(),
                asked.ttlS().map(OptionalLong::of).orElseGet(() -> OptionalLong.of(until - now)),
                chain.claims().tenant(),
                Inputs.caveats(asked.caveats(), now),
                inherited,
                until,
                IssueEndpoint.takesHybrid(asked.acceptAlgs()),
                IssueEndpoint.takesClassical(asked.acceptAlgs()),
                Order.Format.PCT,
                attenuable,
                Optional.empty(),
                chain.claims().confirmation());
        return Answers.ok(
                IssueEndpoint.document(counter.ask(order)).put("blocks", 0).put("sealed", !attenuable));
    }
}
