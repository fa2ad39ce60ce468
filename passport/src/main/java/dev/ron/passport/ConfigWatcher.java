package dev.ron.passport;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.TaskScope;
import dev.ron.passport.policy.Policy;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.service.config.Config;
import dev.ron.service.lifecycle.ServiceContext;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Carries a new configuration into the parts that hold a copy of a value: limits and, without a registry, the policy. */
final class ConfigWatcher {
    private static final double UNLIMITED = 1e9;

    private final Watch<Config> configs;
    private final PolicyDesk desk;
    private final TokenBucket rate;
    private final Permits inflight;
    private final Permits signing;
    private final Watch.Writer<Long> hint;
    private final BooleanSupplier registryHeard;
    private long seen;

    ConfigWatcher(
            ServiceContext context,
            PolicyDesk desk,
            TokenBucket rate,
            Permits inflight,
            Permits signing,
            Watch.Writer<Long> hint,
            BooleanSupplier registryHeard) {
        this.configs = context.configs();
        this.desk = desk;
        this.rate = rate;
        this.inflight = inflight;
        this.signing = signing;
        this.hint = hint;
        this.registryHeard = registryHeard;
        this.seen = configs.current().version();
    }

    void run(TaskScope scope) {
        while (!scope.stopping()) {
            Optional<Watch.Versioned<Config>> next = configs.awaitNewerThan(seen, scope.untilStop());
            next.ifPresent(newer -> {
                seen = newer.version();
                apply(newer.value());
            });
        }
    }

    void apply(Config config) {
        PassportConfig passport = config.section(PassportConfig.class);
        int rps = passport.limits().rps();
        rate.reconfigure(rps == 0 ? UNLIMITED : rps, rps == 0 ? UNLIMITED : rps);
        inflight.resize(passport.limits().inflight());
        signing.resize(PassportTopology.signingOf(passport.limits().inflight()));
        if (passport.registry().endpoint().isEmpty() && !registryHeard.getAsBoolean()) {
            desk.publish(Optional.of(Policy.of(passport, config.version())));
        }
        // Also where the policy is a registry's: the file can narrow it.
        hint.set(hint.watch().value() + 1);
    }
}
