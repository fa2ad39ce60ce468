package dev.ron.passport.issue;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.policy.Policy;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.verify.PqMode;
import java.util.List;
import java.util.regex.Pattern;

/** Whether an order is within the policy and within what its client may ask; refuses, never trims. */
final class OrderRules {
    private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7e]{1,128}");
    private static final Pattern TENANT = Pattern.compile("[-._a-zA-Z0-9]{1,64}");
    private static final int MAX_CAVEATS = 64;

    private OrderRules() {}

    static void require(Order order, Policy policy) {
        Client client = order.client();
        if (!client.may(Right.ISSUE)) {
            throw new RonException(Code.FORBIDDEN, "forbidden", "client " + client.id() + " may not issue");
        }
        if (!SUBJECT.matcher(order.subject()).matches()) {
            throw bad("bad_request", "subject_ref (expected: 1..128 printable characters without blanks)");
        }
        if (!TENANT.matcher(order.tenant()).matches()) {
            throw bad("bad_request", "tenant (expected: 1..64 letters, digits, dots, dashes)");
        }
        if (!client.speaksFor(order.tenant())) {
            throw new RonException(
                    Code.FORBIDDEN, "forbidden", "client " + client.id() + " may not speak for this tenant");
        }
        requireAudiences(order, policy);
        requireCaveats(order, policy);
        if (order.format() == Order.Format.JWT && !order.inherited().isEmpty()) {
            throw bad("bad_request", "format jwt carries no caveats, so a capability cannot ask for it");
        }
        if (order.format() == Order.Format.JWT
                && (order.holder().isPresent() || order.confirmation().isPresent())) {
            throw bad("bad_request", "holder and cnf go with format pct");
        }
    }

    private static void requireAudiences(Order order, Policy policy) {
        if (order.audiences().isEmpty() || order.audiences().size() > 4) {
            throw bad("bad_request", "audience (expected: 1..4 services)");
        }
        for (String audience : order.audiences()) {
            if (!policy.audiences().contains(audience) || !order.client().mayAskFor(audience)) {
                List<String> allowed = policy.audiences().stream()
                        .filter(order.client()::mayAskFor)
                        .toList();
                throw bad(
                        "audience_not_allowed",
                        "audience is not one that client " + order.client().id() + " may ask for (expected: "
                                + String.join(", ", allowed) + ")");
            }
        }
    }

    private static void requireCaveats(Order order, Policy policy) {
        if (order.caveats().size() + order.inherited().size() > MAX_CAVEATS) {
            throw bad("caveat_out_of_bounds", "more than 64 caveats");
        }
        for (Caveat caveat : order.caveats()) {
            if (caveat instanceof Caveat.Unknown || !policy.caveats().contains(caveat.type())) {
                throw bad("unknown_caveat", "a caveat is of a type that is not allowed here");
            }
        }
        policy.bounds().require(order.caveats(), order.inherited());
        requireNoRightOfOthers(order);
        if (order.format() == Order.Format.JWT
                && order.caveats().stream().anyMatch(caveat -> !(caveat instanceof Caveat.Scope))) {
            throw bad("unknown_caveat", "format jwt carries a scope and no other caveat");
        }
        if (order.format() == Order.Format.JWT
                && order.scope().filter(List::isEmpty).isPresent()) {
            // An access token has one scope; an empty one would say that there is no limit.
            throw bad("caveat_out_of_bounds", "the scopes have no operation in common");
        }
    }

    /** A scope of the office itself is a right; nobody hands out one that it has not. */
    private static void requireNoRightOfOthers(Order order) {
        for (String operation : order.scope().orElse(List.of())) {
            if (operation.startsWith(Right.SCOPE)
                    && Right.of(operation.substring(Right.SCOPE.length()))
                            .filter(order.client()::may)
                            .isEmpty()) {
                throw new RonException(
                        Code.FORBIDDEN,
                        "forbidden",
                        "client " + order.client().id() + " may not hand out a right to the office that it has not");
            }
        }
    }

    /** The life of the token in seconds; longer than allowed is refused, so that nobody counts on what was trimmed. */
    static long ttl(Order order, Policy policy, long now) {
        long most = policy.maxTtlSeconds();
        if (order.client().maxTtlSeconds() > 0) {
            most = Math.min(most, order.client().maxTtlSeconds());
        }
        most = Math.min(most, order.notAfter() - now);
        if (order.ttlSeconds().isPresent() && order.ttlSeconds().getAsLong() < 1) {
            throw bad("bad_request", "ttl_s (expected: at least 1)");
        }
        long asked = order.ttlSeconds().orElse(Math.min(policy.defaultTtlSeconds(), most));
        if (asked < 1) {
            throw bad("ttl_too_long", "what this is asked with has ended");
        }
        if (asked > most) {
            throw bad("ttl_too_long", "ttl_s: " + asked + " (expected: 1.." + most + ")");
        }
        return asked;
    }

    /** Whether the token is co-signed: what the policy asks for and the client can read. */
    static boolean hybrid(Order order, Policy policy) {
        boolean can = order.hybrid() && policy.pq() != PqMode.OFF && order.format() == Order.Format.PCT;
        if (policy.pq() == PqMode.ENFORCE ? can : can || order.classical()) {
            return can;
        }
        throw bad(
                "no_acceptable_alg",
                policy.pq() == PqMode.ENFORCE
                        ? "only ed25519+ml-dsa is issued here (passport.pq.mode)"
                        : "ed25519+ml-dsa is not issued here (passport.pq.mode)");
    }

    static RonException bad(String reason, String detail) {
        return new RonException(Code.BAD_REQUEST, reason, detail);
    }
}
