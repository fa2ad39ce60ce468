package dev.ron.admin;

import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.TaskScope;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.reload.ConfigSubscriber;
import dev.ron.service.reload.ReloadReport;
import java.util.List;
import java.util.Optional;

/**
 * Brings the fleet to the newest configuration.
 *
 * <p>The process reloads its configuration whole or not at all and then says so in the slot {@code reload}; the newest
 * report replaces one that was not looked at yet. This task alone changes the fleet, and tells browsers how it went.
 */
final class ConfigWatcher implements ConfigSubscriber {
    private static final int MAX_LINES = 5;

    private final Watch.Writer<Optional<ReloadReport>> reload;
    private final Fleet fleet;
    private final Watch<Config> configs;
    private final AdminMetrics metrics;
    private long seen;

    ConfigWatcher(
            Watch.Writer<Optional<ReloadReport>> reload, Fleet fleet, Watch<Config> configs, AdminMetrics metrics) {
        this.reload = reload;
        this.fleet = fleet;
        this.configs = configs;
        this.metrics = metrics;
        this.seen = reload.watch().current().version();
    }

    void run(TaskScope scope) {
        while (!scope.stopping()) {
            Optional<Watch.Versioned<Optional<ReloadReport>>> next =
                    reload.watch().awaitNewerThan(seen, scope.untilStop());
            next.ifPresent(newer -> {
                seen = newer.version();
                apply();
                newer.value().ifPresent(this::tell);
            });
        }
    }

    /** Starts and stops samplers as the configuration in force says. */
    void apply() {
        Config now = configs.value();
        Fleet.Difference difference = fleet.apply(now.section(AdminConfig.class));
        difference.stopped().forEach(node -> metrics.forget(node.id()));
    }

    /** A reload that changed nothing for want of a change is told as good: it ends what a failed one before it said. */
    private void tell(ReloadReport report) {
        boolean ok = !report.outcome().failed();
        String error =
                String.join("\n", report.details().stream().limit(MAX_LINES).toList());
        fleet.events().publish(new FleetEvent.Configured(report.version(), ok, ok ? null : error));
    }

    @Override
    public String name() {
        return "admin";
    }

    @Override
    public Change prepare(Config next, List<ConfigChange> changes) {
        AdminConfig config = next.section(AdminConfig.class);
        Networks.of(config.upstream().denyCidrs());
        Networks.of(config.upstream().allowCidrs());
        return Change.of(() -> {}, () -> {});
    }

    @Override
    public void reloaded(ReloadReport report) {
        metrics.reloaded(report.outcome().word());
        reload.set(Optional.of(report));
    }
}
