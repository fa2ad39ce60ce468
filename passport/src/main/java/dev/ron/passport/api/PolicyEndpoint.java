package dev.ron.passport.api;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.policy.CaveatBounds;
import dev.ron.passport.policy.Policy;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /v1/passport/policy}: what may be issued now, who says so, and how long that counts. */
final class PolicyEndpoint {
    private final Door door;
    private final Supplier<Optional<Policy>> policy;
    private final Clock clock;

    PolicyEndpoint(Door door, Supplier<Optional<Policy>> policy, Clock clock) {
        this.door = door;
        this.policy = policy;
        this.clock = clock;
    }

    Response handle(Request request) {
        door.requireAny(request);
        Policy current = policy.get().orElseThrow(Policy::missing);
        ObjectNode out = Answers.object();
        out.put("version", current.version());
        out.put("source", current.place().isPresent() ? "registry" : "config");
        current.place().ifPresent(place -> {
            out.put("log", place.genesis().text());
            out.put("log_version", place.size());
        });
        Optional<String> trouble = trouble(current);
        out.put("in_force", trouble.isEmpty());
        trouble.ifPresent(reason -> out.put("reason", reason));
        if (current.freshUntil() != Policy.NEVER_STALE) {
            out.put("fresh_until", Instant.ofEpochSecond(current.freshUntil()).toString());
        }
        out.put("max_ttl_s", current.maxTtlSeconds());
        out.put("default_ttl_s", current.defaultTtlSeconds());
        current.audiences().forEach(out.putArray("audiences")::add);
        current.caveats().forEach(out.putArray("caveats_allowed")::add);
        CaveatBounds bounds = current.bounds();
        bounds.required().forEach(out.putArray("caveats_required")::add);
        ObjectNode most = out.putObject("caveats_max");
        putBound(most, "bytes", bounds.bytes());
        putBound(most, "budget_reqs", bounds.budgetReqs());
        putBound(most, "budget_bytes", bounds.budgetBytes());
        putBound(most, "rate_rps", bounds.rateRps());
        out.put("pq_mode", current.pq().name().toLowerCase(Locale.ROOT));
        out.put("frozen", current.frozen());
        return Answers.ok(out);
    }

    private static void putBound(ObjectNode out, String name, long most) {
        if (most > 0) {
            out.put(name, most);
        }
    }

    private Optional<String> trouble(Policy current) {
        try {
            current.requireInForce(clock.now().getEpochSecond());
            return Optional.empty();
        } catch (RonException refused) {
            return Optional.of(refused.reason());
        }
    }
}
