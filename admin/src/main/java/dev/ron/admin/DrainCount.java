package dev.ron.admin;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.service.metrics.ServiceMetrics;

/** Counts how the console's ends went: {@code svc_admin_shutdown_drains_total{result}}. */
final class DrainCount implements Drainable {
    private final Meter.Count clean;
    private final Meter.Count aborted;

    DrainCount(ServiceMetrics metrics) {
        ServiceMetrics.Counters drains = metrics.counters("shutdown_drains_total", "Ends of the process.", "result");
        this.clean = drains.with("clean");
        this.aborted = drains.with("aborted");
    }

    @Override
    public String name() {
        return "admin/count";
    }

    @Override
    public Stage stage() {
        return Stage.OBSERVE;
    }

    @Override
    public boolean drain(Deadline deadline) {
        (deadline.expired() ? aborted : clean).increment();
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
