package dev.ron.passport.policy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.PassportConfig;
import dev.ron.token.verify.PqMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What may be issued; immutable, read once per order.
 *
 * @param freshUntil the second up to which it counts; a policy from the configuration has no such second
 * @param place where in a registry's log it was read; empty for one from the configuration
 */
public record Policy(
        long version,
        long maxTtlSeconds,
        long defaultTtlSeconds,
        List<String> audiences,
        List<String> caveats,
        CaveatBounds bounds,
        PqMode pq,
        boolean frozen,
        long freshUntil,
        Optional<Place> place) {
    public static final long NEVER_STALE = Long.MAX_VALUE;

    public Policy {
        audiences = List.copyOf(audiences);
        caveats = List.copyOf(caveats);
    }

    /** The policy of a configuration: complete, and as fresh as the configuration itself. */
    public static Policy of(PassportConfig config, long version) {
        PassportConfig.IssuerPolicy rules = config.issuerPolicy();
        return new Policy(
                version,
                rules.maxTtl().toSeconds(),
                rules.defaultTtl().toSeconds(),
                rules.audiences(),
                rules.caveats(),
                CaveatBounds.of(rules),
                PqMode.valueOf(config.pq().mode().name()),
                rules.frozen(),
                NEVER_STALE,
                Optional.empty());
    }

    /** The same, counting no longer than up to this second. */
    public Policy confirmedUntil(long second) {
        return new Policy(
                version,
                maxTtlSeconds,
                defaultTtlSeconds,
                audiences,
                caveats,
                bounds,
                pq,
                frozen,
                Math.min(freshUntil, second),
                place);
    }

    /** What both this one and a configuration allow: a file can make a registry's policy narrower, never wider. */
    public Policy narrowedBy(PassportConfig config) {
        Policy local = of(config, version);
        long most = Math.min(maxTtlSeconds, local.maxTtlSeconds);
        return new Policy(
                version,
                most,
                Math.min(most, Math.min(defaultTtlSeconds, local.defaultTtlSeconds)),
                audiences.stream().filter(local.audiences::contains).toList(),
                caveats.stream().filter(local.caveats::contains).toList(),
                bounds.and(local.bounds),
                pq.compareTo(local.pq) >= 0 ? pq : local.pq,
                frozen || local.frozen,
                freshUntil,
                place);
    }

    /** Whether the other one says the same, wherever and whenever it was read. */
    boolean saysTheSame(Policy other) {
        return equals(new Policy(
                other.version,
                other.maxTtlSeconds,
                other.defaultTtlSeconds,
                other.audiences,
                other.caveats,
                other.bounds,
                other.pq,
                other.frozen,
                freshUntil,
                place));
    }

    /** Refuses where nothing may be issued under this policy at this moment. */
    public void requireInForce(long now) {
        if (now > freshUntil) {
            throw refuse("policy_stale", "the policy was not confirmed for " + (now - freshUntil) + " s too long");
        }
        if (frozen) {
            throw refuse("frozen", "issuing is stopped: frozen in passport.issuer_policy or in the registry's policy");
        }
    }

    public static RonException missing() {
        return refuse("policy_missing", "there is no policy to issue under yet");
    }

    private static RonException refuse(String reason, String detail) {
        return new RonException(Code.UNAVAILABLE, reason, detail, Duration.ofSeconds(5), null);
    }
}
