package dev.ron.admin;

import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.TaskScope;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.reload.ConfigSubscriber;
import java.util.List;
import java.util.Optional;

/**
 * Brings the fleet to the newest configuration.
 *
 * <p>The process reloads its configuration whole or not at all and then sets the slot {@code reload}; the newest value
 * replaces one that was not looked at yet. This task alone changes the fleet.
 */
final class ConfigWatcher implements ConfigSubscriber {
    private final Watch.Writer<Long> reload;
    private final Fleet fleet;
    private final Watch<Config> configs;
    private final AdminMetrics metrics;
    private long seen;

    ConfigWatcher(Watch.Writer<Long> reload, Fleet fleet, Watch<Config> configs, AdminMetrics metrics) {
        this.reload = reload;
        this.fleet = fleet;
        this.configs = configs;
        this.metrics = metrics;
        this.seen = reload.watch().current().version();
    }

    void run(TaskScope scope) {
        while (!scope.stopping()) {
            Optional<Watch.Versioned<Long>> next = reload.watch().awaitNewerThan(seen, scope.untilStop());
            next.ifPresent(newer -> {
                seen = newer.version();
                apply();
            });
        }
    }

    /** Starts and stops samplers as the configuration in force says. */
    void apply() {
        Config now = configs.value();
        Fleet.Difference difference = fleet.apply(now.section(AdminConfig.class));
        difference.stopped().forEach(node -> metrics.forget(node.id()));
        metrics.reloaded("applied");
        fleet.events().publish(new FleetEvent.Configured(now.version(), true, null));
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
        return Change.of(() -> reload.set(next.version()), () -> reload.set(next.version()));
    }
}
