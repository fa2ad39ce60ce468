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
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.RequestContext;
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
    private final Clock clock;
    private final Counter<Order, Minted> counter;
    private final IntSupplier maxBatch;
    private final SecureRandom random;
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final StrictJson json = new StrictJson();

    /** The request a token is to be judged for. */
    record Context(
            Optional<String> method,
            Optional<String> path,
            Optional<String> peerIp,
            Optional<String> tenant,
            Optional<String> scope,
            Optional<Long> bytes,
            Optional<String> audience) {}

    /** One token to look at. */
    record Item(String token, Optional<Context> ctx) {}

    /** A batch. */
    record Batch(List<Item> items) {}

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
        this.clock = clock;
        this.counter = counter;
        this.maxBatch = maxBatch;
        this.random = random;
    }

    Response verify(Request request) {
        door.require(request, Right.VERIFY);
        Answers.requireJson(request);
        return Answers.ok(judged(json.read(request.body(), Item.class)));
    }

    Response verifyBatch(Request request) {
        door.require(request, Right.VERIFY);
        Answers.requireJson(request);
        List<Item> items = json.read(request.body(), Batch.class).items();
        if (items.size() > maxBatch.getAsInt()) {
            throw new RonException(
                    Code.OVER_LIMIT,
                    "over_limit",
                    items.size() + " items (expected: at most " + maxBatch.getAsInt() + ": passport.limits.max_batch)");
        }
        ObjectNode out = Answers.object();
        ArrayNode results = out.putArray("results");
        items.forEach(item -> results.add(judged(item)));
        return Answers.ok(out);
    }

    private ObjectNode judged(Item item) {
        if (Inspector.isAccessToken(item.token())) {
            return judgedPlain(item);
        }
        Optional<Context> context = item.ctx();
        String audience = context.flatMap(Context::audience).orElseGet(() -> Inspector.claimedAudience(item.token()));
        Inspector.Finding finding =
                inspector.inspect(item.token(), audience, requestContext(context), context.isPresent());
        ObjectNode out = Answers.object();
        switch (finding.decision()) {
            case Decision.Allow allow -> {
                out.put("ok", true);
                out.putNull("reason");
                out.putArray("reasons");
                out.set("obligations", obligations(allow.obligations()));
            }
            case Decision.Deny deny -> {
                out.put("ok", false);
                out.put("reason", deny.reason().wire());
                ArrayNode reasons = out.putArray("reasons");
                deny.reasons().forEach(reason -> reasons.add(reason.wire()));
                out.put("detail", deny.detail());
            }
        }
        finding.chain().ifPresent(chain -> out.set("parsed", parsed(chain)));
        ArrayNode warnings = out.putArray("warnings");
        if (context.isEmpty()) {
            warnings.add("no ctx: caveats about the request were not judged");
        }
        return out;
    }

    /** An access token has no caveats: it is good or it is not. */
    private ObjectNode judgedPlain(Item item) {
        ObjectNode out = Answers.object();
        Reason wrong = null;
        String detail = "";
        switch (inspector.accessToken(item.token(), clock.now().getEpochSecond())) {
            case JwtDecision.Rejected rejected -> {
                wrong = rejected.reason();
                detail = rejected.detail();
            }
            case JwtDecision.Accepted good -> {
                Optional<String> audience = item.ctx().flatMap(Context::audience);
                if (audience.isPresent() && !audience.equals(AtJwtValidator.claimedAudience(item.token()))) {
                    wrong = Reason.WRONG_AUDIENCE;
                    detail = "token is not for " + audience.get();
                } else {
                    out.set("parsed", plain(good));
                }
            }
        }
        out.put("ok", wrong == null);
        out.put("reason", wrong == null ? null : wrong.wire());
        ArrayNode reasons = out.putArray("reasons");
        if (wrong != null) {
            reasons.add(wrong.wire());
            out.put("detail", detail);
        }
        out.putArray("warnings");
        return out;
    }

    private static ObjectNode plain(JwtDecision.Accepted good) {
        ObjectNode out = Answers.object();
        out.put("iss", good.iss());
        out.put("sub", good.sub());
        good.clientId().ifPresent(id -> out.put("client_id", id));
        good.tenant().ifPresent(id -> out.put("tid", id));
        good.tokenId().ifPresent(id -> out.put("jti", id));
        out.put("exp", good.expiresAt());
        return out;
    }

    private RequestContext requestContext(Optional<Context> given) {
        RequestContext.Builder builder =
                RequestContext.at(clock.now().getEpochSecond()).readOnly();
        given.ifPresent(ctx -> {
            ctx.method().ifPresent(builder::method);
            ctx.path().ifPresent(builder::path);
            ctx.peerIp().ifPresent(ip -> builder.peer(Inputs.address(ip)));
            ctx.tenant().ifPresent(builder::tenant);
            ctx.scope().ifPresent(builder::scope);
            ctx.bytes().ifPresent(builder::contentLength);
        });
        return builder.build();
    }

    private static ObjectNode parsed(Chain chain) {
        RootClaims claims = chain.claims();
        ObjectNode out = Answers.object();
        out.put("alg", chain.coSignature().isPresent() ? "ed25519+ml-dsa" : "ed25519");
        out.put("kid", chain.root().kid());
        out.put("epoch", claims.epoch());
        out.put("iss", claims.iss());
        ArrayNode aud = out.putArray("aud");
        claims.aud().forEach(aud::add);
        out.put("sub", claims.sub());
        out.put("tid", claims.tenant());
        out.put("client_id", claims.clientId());
        out.put("jti", claims.jti());
        out.put("iat", claims.iat());
        out.put("nbf", claims.nbf());
        out.put("exp", claims.exp());
        List<Caveat> writable = chain.caveats().stream()
                .map(Chain.Placed::caveat)
                .filter(caveat -> !(caveat instanceof Caveat.Unknown))
                .toList();
        out.putRawValue("caveats", Answers.caveats(writable));
        out.put("blocks", chain.blocks().size());
        out.put("pq", chain.coSignature().isPresent() ? "verified" : "none");
        return out;
    }

    private static ObjectNode obligations(Obligations obligations) {
        ObjectNode out = Answers.object();
        obligations.maxBodyBytes().ifPresent(max -> out.put("max_bytes", max));
        if (!obligations.rates().isEmpty()) {
            ArrayNode rates = out.putArray("rate");
            obligations
                    .rates()
                    .forEach(rate ->
                            rates.addObject().put("rps", rate.perSecond()).put("burst", rate.burst()));
        }
        if (!obligations.budgets().isEmpty()) {
            ArrayNode budgets = out.putArray("budget");
            obligations.budgets().forEach(budget -> {
                ObjectNode one = budgets.addObject();
                budget.requests().ifPresent(n -> one.put("reqs", n));
                budget.bytes().ifPresent(n -> one.put("bytes", n));
            });
        }
        return out;
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
                out.setAll(plain(good));
                AtJwtValidator.claimedAudience(token.get()).ifPresent(aud -> out.put("aud", aud));
            }
            return Answers.ok(out);
        }
        Inspector.Finding finding = inspector.inspect(
                token.get(), Inspector.claimedAudience(token.get()), requestContext(Optional.empty()), false);
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
                asked.token(), Inspector.claimedAudience(asked.token()), requestContext(Optional.empty()), false);
        if (!(finding.decision() instanceof Decision.Allow allow)
                || finding.chain().isEmpty()) {
            Decision.Deny deny = (Decision.Deny) finding.decision();
            throw Inputs.bad(deny.reason().wire(), deny.detail());
        }
        Chain chain = finding.chain().get();
        List<Caveat> inherited = new ArrayList<>(caller.inherited());
        chain.caveats().forEach(placed -> inherited.add(placed.caveat()));
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
                attenuable);
        return Answers.ok(
                IssueEndpoint.document(counter.ask(order)).put("blocks", 0).put("sealed", !attenuable));
    }
}
