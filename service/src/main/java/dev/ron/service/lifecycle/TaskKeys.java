package dev.ron.service.lifecycle;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskState;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code task:<kind>} for every task that a service misses when it is down.
 *
 * <p>A task that waits to be started again costs writes; one in quarantine also costs reads if the service cannot work
 * without it.
 */
final class TaskKeys implements Supplier<List<KeyState>> {
    private final Kernel kernel;

    TaskKeys(Kernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public List<KeyState> get() {
        List<Task> tasks = kernel.supervisor().tasks();
        List<KeyState> keys = new ArrayList<>();
        for (TaskSpec spec : kernel.topology().all(TaskSpec.class)) {
            if (spec.criticality().compareTo(TaskSpec.Criticality.HIGH) <= 0) {
                keys.add(key(spec, tasks));
            }
        }
        return keys;
    }

    private static KeyState key(TaskSpec spec, List<Task> tasks) {
        String name = "task:" + spec.name();
        boolean critical = spec.criticality() == TaskSpec.Criticality.CRITICAL;
        Need need = critical ? Need.READ : Need.WRITE;
        boolean restarting = false;
        for (Task task : tasks) {
            if (task.spec().name().equals(spec.name())) {
                if (task.state() == TaskState.QUARANTINED) {
                    return new KeyState(name, need, false, task.name() + " failed too often and is in quarantine");
                }
                restarting |= task.state() == TaskState.BACKOFF;
            }
        }
        return restarting
                ? new KeyState(name, Need.WRITE, false, "waits to be started again")
                : new KeyState(name, need, true, "");
    }
}
