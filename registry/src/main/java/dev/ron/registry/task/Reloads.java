package dev.ron.registry.task;

import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.book.Command;
import dev.ron.registry.commit.Counter;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.metrics.ServiceMetrics;
import dev.ron.service.reload.ConfigSubscriber;
import java.util.List;

/**
 * The registry's part in a reload: limits change over together with everything else, or go back with it.
 *
 * <p>The queue {@code cfg_reload} and the task that reads it are the process's; a change of who may approve is no change
 * of configuration at all, so there is no key for it.
 */
public final class Reloads implements ConfigSubscriber {
    private static final double UNLIMITED = 1e9;

    private final TokenBucket rate;
    private final Permits inflight;
    private final Counter ctl;
    private final ServiceMetrics.Counters good;
    private final ServiceMetrics.Counters failed;
    private RegistryConfig now;

    public Reloads(RegistryConfig first, TokenBucket rate, Permits inflight, Counter ctl, ServiceMetrics metrics) {
        this.now = first;
        this.rate = rate;
        this.inflight = inflight;
        this.ctl = ctl;
        this.good = metrics.counters("registry_reload_success_total", "Reloads that took effect.", "source");
        this.failed = metrics.counters("registry_reload_fail_total", "Reloads that were put back.", "reason");
        good.with("config").add(0);
        failed.with("rolled_back").add(0);
        apply(first);
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Change prepare(Config next, List<ConfigChange> changes) {
        RegistryConfig before = now;
        RegistryConfig after = next.section(RegistryConfig.class);
        return Change.of(
                () -> {
                    apply(after);
                    good.with("config").increment();
                    boolean _ = ctl.tell(
                            new Command.Note(AuditRecord.Action.RELOAD, "config", "version " + next.version()),
                            "registry");
                },
                () -> {
                    apply(before);
                    failed.with("rolled_back").increment();
                });
    }

    private void apply(RegistryConfig config) {
        int rps = config.limits().rps();
        rate.reconfigure(rps == 0 ? UNLIMITED : rps, rps == 0 ? UNLIMITED : rps);
        inflight.resize(config.limits().inflight());
        now = config;
    }
}
