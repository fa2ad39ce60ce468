package dev.ron.edge;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.TaskScope;
import dev.ron.service.config.Config;
import dev.ron.service.lifecycle.ServiceContext;
import java.util.Optional;

/** Carries a new configuration into the limits, which hold a copy of their value. */
final class Limits {
    private static final int DEFAULT_RPS = 500;
    private static final int DEMO_RPS = 100_000;

    private final Watch<Config> configs;
    private final TokenBucket rate;
    private final Permits inflight;
    private final boolean demo;
    private long seen;

    Limits(ServiceContext context, TokenBucket rate, Permits inflight, boolean demo) {
        this.configs = context.configs();
        this.rate = rate;
        this.inflight = inflight;
        this.demo = demo;
        this.seen = configs.current().version();
    }

    void run(TaskScope scope) {
        while (!scope.stopping()) {
            Optional<Watch.Versioned<Config>> next = configs.awaitNewerThan(seen, scope.untilStop());
            next.ifPresent(newer -> {
                seen = newer.version();
                apply(newer.value().section(EdgeConfig.class));
            });
        }
    }

    /** A demo is tried with a browser and with wrk: the default would be in its way. */
    void apply(EdgeConfig config) {
        int configured = config.ingress().rpsLimit();
        int rps = demo && configured == DEFAULT_RPS ? DEMO_RPS : configured;
        rate.reconfigure(rps, rps);
        inflight.resize(config.ingress().maxInflight());
    }
}
