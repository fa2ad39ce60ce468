package dev.ron.passport.api;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.token.Reason;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.RequestContext;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Says of a token, in a document, whether it is good and what it holds. */
final class Judge {
    private final Inspector inspector;
    private final Clock clock;
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

    Judge(Inspector inspector, Clock clock) {
        this.inspector = inspector;
        this.clock = clock;
    }

    /** Whatever is wrong with one item is that item's answer. */
    ObjectNode judgedAlone(Item item) {
        try {
            return judged(item);
        } catch (RonException refused) {
            if (refused.code() != Code.BAD_REQUEST) {
                throw refused;
            }
            ObjectNode out = Answers.object();
            out.put("ok", false);
            out.put("reason", refused.reason());
            out.putArray("reasons").add(refused.reason());
            out.put("detail", refused.detail());
            out.putArray("warnings");
            return out;
        }
    }

    ObjectNode judged(Item item) {
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
        finding.chain().ifPresent(chain -> {
            boolean sealed = item.token().startsWith("p", item.token().lastIndexOf('~') + 1);
            out.set("parsed", parsed(chain).put("sealed", sealed));
            putKeyAge(out, chain.root().kid());
        });
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
                if (audience.isPresent()
                        && !AtJwtValidator.claimedAudiences(item.token()).contains(audience.get())) {
                    wrong = Reason.WRONG_AUDIENCE;
                    detail = "token is not for " + audience.get();
                } else {
                    ObjectNode parsed = parsedPlain(item.token(), good);
                    out.set("parsed", parsed);
                    putKeyAge(out, parsed.path("kid").asString(""));
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

    /** How old the key is that signed it: one that is much older than a rotation should not be met any more. */
    private void putKeyAge(ObjectNode out, String kid) {
        inspector.keyAgeSeconds(kid, clock.now().getEpochSecond()).ifPresent(age -> out.put("key_age_ms", age * 1000));
    }

    /** The same members as of a capability, as far as an access token has them. */
    private ObjectNode parsedPlain(String token, JwtDecision.Accepted good) {
        String[] parts = token.split("\\.", -1);
        JsonNode header = json.tree(Base64.getUrlDecoder().decode(parts[0]));
        JsonNode claims = json.tree(Base64.getUrlDecoder().decode(parts[1]));
        ObjectNode out = plain(good);
        List.of("alg", "kid").forEach(name -> out.set(name, header.path(name)));
        List.of("epoch", "aud", "iat", "nbf").forEach(name -> out.set(name, claims.path(name)));
        return out;
    }

    static ObjectNode plain(JwtDecision.Accepted good) {
        ObjectNode out = Answers.object();
        out.put("iss", good.iss());
        out.put("sub", good.sub());
        good.clientId().ifPresent(id -> out.put("client_id", id));
        good.tenant().ifPresent(id -> out.put("tid", id));
        good.tokenId().ifPresent(id -> out.put("jti", id));
        out.put("exp", good.expiresAt());
        return out;
    }

    /** For a token that is shown, not used. */
    RequestContext withoutRequest() {
        return requestContext(Optional.empty());
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
}
