package dev.ron.passport.policy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.PassportConfig;
import dev.ron.token.verify.PqMode;
import java.time.Duration;
import java.util.List;

/**
 * What may be issued; immutable, read once per order.
 *
 * @param freshUntil the second up to which it counts; a policy from the configuration has no such second
 */
public record Policy(
        long version,
        long maxTtlSeconds,
        long defaultTtlSeconds,
        List<String> audiences,
        List<String> caveats,
        PqMode pq,
        boolean frozen,
        long freshUntil) {
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
                PqMode.valueOf(config.pq().mode().name()),
                rules.frozen(),
                NEVER_STALE);
    }

    public Policy confirmedUntil(long second) {
        return new Policy(version, maxTtlSeconds, defaultTtlSeconds, audiences, caveats, pq, frozen, second);
    }

    /** Refuses where nothing may be issued under this policy at this moment. */
    public void requireInForce(long now) {
        if (now > freshUntil) {
            throw refuse("policy_stale", "the policy was not confirmed for " + (now - freshUntil) + " s too long");
        }
        if (frozen) {
            throw refuse("frozen", "issuing is stopped: passport.issuer_policy.frozen");
        }
    }

    public static RonException missing() {
        return refuse("policy_missing", "there is no policy to issue under yet");
    }

    private static RonException refuse(String reason, String detail) {
        return new RonException(Code.UNAVAILABLE, reason, detail, Duration.ofSeconds(5), null);
    }
}
