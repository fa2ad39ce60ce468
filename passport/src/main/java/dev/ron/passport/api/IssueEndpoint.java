package dev.ron.passport.api;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.client.Right;
import dev.ron.passport.issue.Minted;
import dev.ron.passport.issue.Order;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /v1/passport/issue}. */
final class IssueEndpoint {
    private static final String CLASSICAL = "ed25519";
    private static final String HYBRID = "ed25519+ml-dsa";

    private final Door door;
    private final Counter<Order, Minted> counter;
    private final Idempotency once;
    private final Clock clock;
    private final StrictJson json = new StrictJson();

    /** The body. */
    record Asked(
            String subjectRef,
            JsonNode audience,
            Optional<Long> ttlS,
            Optional<String> tenant,
            Optional<List<JsonNode>> caveats,
            Optional<List<String>> acceptAlgs,
            Optional<String> format,
            Optional<Boolean> attenuable,
            Optional<Held> holder,
            Optional<Map<String, String>> cnf,
            Optional<JsonNode> proof) {}

    /** The public side of a seed that the client keeps. */
    record Held(String nh, Optional<String> nk) {}

    IssueEndpoint(Door door, Counter<Order, Minted> counter, Idempotency once, Clock clock) {
        this.door = door;
        this.counter = counter;
        this.once = once;
        this.clock = clock;
    }

    Response handle(Request request) {
        Caller caller = door.require(request, Right.ISSUE);
        Answers.requireJson(request);
        Order order = order(caller, json.read(request.body(), Asked.class));
        return once.once(
                caller, Idempotency.key(request), request.body(), () -> Answers.ok(document(counter.ask(order))));
    }

    private Order order(Caller caller, Asked asked) {
        if (asked.proof().filter(value -> !value.isNull()).isPresent()) {
            throw Inputs.bad("bad_request", "proof (expected: null, for it is reserved)");
        }
        return new Order(
                caller.client(),
                asked.subjectRef(),
                Inputs.strings(asked.audience(), "audience"),
                asked.ttlS().map(OptionalLong::of).orElse(OptionalLong.empty()),
                asked.tenant().orElseGet(() -> caller.client().ownTenant()),
                Inputs.caveats(asked.caveats(), clock.now().getEpochSecond()),
                caller.inherited(),
                caller.notAfter(),
                takesHybrid(asked.acceptAlgs()),
                takesClassical(asked.acceptAlgs()),
                format(asked.format().orElse("pct")),
                attenuable(asked),
                asked.holder().map(held -> Inputs.holder(held.nh(), held.nk())),
                asked.cnf().map(Inputs::confirmation));
    }

    private static boolean attenuable(Asked asked) {
        if (asked.holder().isEmpty()) {
            return asked.attenuable().orElse(true);
        }
        if (asked.attenuable().isPresent()) {
            throw Inputs.bad("bad_request", "attenuable goes without holder: there nk says so");
        }
        return asked.holder().get().nk().isPresent();
    }

    static boolean takesHybrid(Optional<List<String>> accepted) {
        return algorithms(accepted).contains(HYBRID);
    }

    static boolean takesClassical(Optional<List<String>> accepted) {
        return algorithms(accepted).contains(CLASSICAL);
    }

    private static List<String> algorithms(Optional<List<String>> accepted) {
        List<String> algs = accepted.orElse(List.of(CLASSICAL));
        if (algs.isEmpty() || !List.of(CLASSICAL, HYBRID).containsAll(algs)) {
            throw Inputs.bad("no_acceptable_alg", "accept_algs (expected: ed25519, ed25519+ml-dsa)");
        }
        return algs;
    }

    private static Order.Format format(String word) {
        return switch (word) {
            case "pct" -> Order.Format.PCT;
            case "jwt" -> Order.Format.JWT;
            default -> throw Inputs.bad("bad_request", "format (expected: pct, jwt)");
        };
    }

    static ObjectNode document(Minted minted) {
        ObjectNode out = Answers.object();
        out.put("token", minted.token());
        out.put("token_type", minted.format() == Order.Format.PCT ? "pct" : "Bearer");
        out.put("jti", minted.jti());
        out.put("kid", minted.kid());
        out.put("alg", minted.hybrid() ? HYBRID : CLASSICAL);
        out.put("epoch", minted.epoch());
        out.put("policy_version", minted.policyVersion());
        out.put("exp", Instant.ofEpochSecond(minted.expiresAt()).toString());
        out.put("expires_in", minted.expiresAt() - minted.issuedAt());
        out.putRawValue("caveats", Answers.caveats(minted.caveats()));
        out.put("fallback", minted.fallback());
        out.put("attenuable", minted.attenuable());
        return out;
    }
}
