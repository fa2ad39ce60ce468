package dev.ron.gateway.tenant;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;

/**
 * The instance's rate, divided between the tenants that are active by their quanta; what one leaves others may borrow.
 *
 * <p>One shared bucket would undo fairness: a tenant that sends fifty times as much would get fifty times as much. So a
 * request passes if its tenant's own bucket has a token and the instance is no deeper in debt than one burst; else only
 * if the instance has tokens to spare.
 */
public final class RateShares {
    private static final double LEAST_BURST = 5;
    private static final long ACTIVE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int LONGEST_SECONDS = 30;

    private final Accounts accounts;
    private final Bucket instance = new Bucket();
    private volatile int activeQuanta = 1;
    private volatile long countedAt = Long.MIN_VALUE;

    public RateShares(Accounts accounts) {
        this.accounts = accounts;
    }

    /** What a caller is told about its rate; limit 0 where there is none. */
    public record Standing(int limit, int remaining, int resetSeconds) {
        public static final Standing NONE = new Standing(0, 0, 0);
    }

    /** Lets one request pass or throws the refusal. */
    public Standing take(Account account, GatewayConfig.Drr limits, long now) {
        int rate = limits.rateLimitRps();
        if (rate == 0) {
            return Standing.NONE;
        }
        double burst = burst(rate, limits.rateLimitBurst());
        double part = (double) quantum(limits, account) / Math.max(quanta(limits, now), quantum(limits, account));
        double ownRate = rate * part;
        double ownBurst = Math.max(LEAST_BURST, burst * part);
        boolean pass = instance.level(rate, burst, now) > -burst && account.bucket.take(ownRate, ownBurst, 0, now);
        if (pass) {
            pass = instance.take(rate, burst, -burst, now);
        } else {
            pass = instance.take(rate, burst, 0, now);
        }
        double left = account.bucket.level(ownRate, ownBurst, now);
        if (!pass) {
            account.countOverRate();
            double wait = Math.max(0, 1 - left) / ownRate;
            throw refusal("gateway.drr.rate_limit_rps", rate, wait);
        }
        return new Standing(
                (int) Math.ceil(ownRate), (int) Math.max(0, left), (int) Math.ceil((ownBurst - left) / ownRate));
    }

    static double burst(int rate, int configured) {
        return configured > 0 ? configured : Math.max(1, rate / 10.0);
    }

    static RonException refusal(String key, int rate, double waitSeconds) {
        return new RonException(
                Code.RATE_LIMITED,
                "rate_limit",
                "over the rate; " + key + " is " + rate,
                Duration.ofSeconds(Math.clamp((long) Math.ceil(waitSeconds), 1, LONGEST_SECONDS)),
                null);
    }

    private static int quantum(GatewayConfig.Drr limits, Account account) {
        return limits.quantumOf(account.key().id());
    }

    /** Counted again every tenth of a second, by whoever comes first. */
    private int quanta(GatewayConfig.Drr limits, long now) {
        if (countedAt == Long.MIN_VALUE || now - countedAt > ACTIVE_NANOS / 100) {
            countedAt = now;
            int sum = 0;
            for (Account account : accounts.all()) {
                sum += account.seenAt() >= now - ACTIVE_NANOS ? quantum(limits, account) : 0;
            }
            activeQuanta = Math.max(1, sum);
        }
        return activeQuanta;
    }
}
