package dev.ron.gateway.proxy;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.kernel.flow.Retry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Which tries may be followed by another, and after which wait. */
final class RetryRule {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private final Retry.Policy policy;
    private final Set<Integer> statuses;

    RetryRule(GatewayConfig.Retry config) {
        this.policy = new Retry.Policy(
                config.initialMin(), config.initialMax().minus(config.initialMin()), config.cap(), config.tries());
        this.statuses = Set.copyOf(config.statuses());
    }

    boolean triesLeft(int made) {
        return made < policy.attempts();
    }

    /** Whether sending it twice is the same as sending it once, whatever has happened to the first. */
    static boolean safe(String method, boolean hasBody) {
        return !hasBody && SAFE.contains(method);
    }

    boolean worthAnother(int status) {
        return statuses.contains(status);
    }

    static boolean worthAnother(UpstreamFailure why) {
        return switch (why.kind()) {
            case CONNECT, CONNECT_TIMEOUT, STALE, RESET -> true;
            default -> false;
        };
    }

    /** @param retry 0 for the first */
    Duration wait(int retry) {
        return policy.wait(retry, ThreadLocalRandom.current());
    }
}
