package dev.ron.service.lifecycle;

import dev.ron.kernel.HeldQueue;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.task.Task;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Readiness;
import dev.ron.service.health.ReadyView;
import dev.ron.service.status.Health;
import dev.ron.service.status.Plane;
import dev.ron.service.status.StatusView.QueueLine;
import dev.ron.service.status.StatusView.TaskLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A service with everything the frame made for it, and what can be said of it now. */
record RunningService(RonService service, ServiceContext context, Readiness process) {

    String name() {
        return service.name();
    }

    /** What the service itself says. */
    ReadyView ownKeys() {
        return context.readiness().view();
    }

    /** What it can do, which also takes a process that is not stopping. */
    ReadyView ready() {
        return process.view().and(ownKeys());
    }

    /** The service's own plane first, never greener than its worst part. */
    List<Plane> planes() {
        List<Plane> children = service.planes();
        ReadyView ready = ready();
        Health own = !ready.ready() ? Health.DOWN : ready.writeReady() ? Health.HEALTHY : Health.DEGRADED;
        boolean childAilsToo = children.stream().anyMatch(c -> c.health() != Health.HEALTHY);
        String notes = ready.missing().stream().map(RunningService::says).collect(Collectors.joining("; "));
        long restarts = tasks().stream().mapToLong(Task::restarts).sum();
        List<Plane> planes = new ArrayList<>();
        planes.add(new Plane(
                name(),
                childAilsToo ? own.worse(Health.DEGRADED) : own,
                ready.ready(),
                restarts,
                notes.isEmpty() ? null : notes));
        planes.addAll(children);
        return planes;
    }

    private static String says(KeyState key) {
        return key.cause().isEmpty() ? key.name() : key.name() + ": " + key.cause();
    }

    List<TaskLine> taskLines(String prefix) {
        return tasks().stream()
                .map(t -> new TaskLine(prefix + t.name(), t.state().name().toLowerCase(Locale.ROOT), t.restarts()))
                .toList();
    }

    List<QueueLine> queueLines(String prefix) {
        List<QueueLine> lines = new ArrayList<>();
        for (Mailbox<?> m : kernel().mailboxes()) {
            String name = m.spec().name();
            lines.add(new QueueLine(
                    prefix + name,
                    m.depth(),
                    m.spec().capacity(),
                    context.metrics().count("queue_dropped_total", "queue", name)));
        }
        for (HeldQueue q : kernel().queues()) {
            String name = q.spec().name();
            lines.add(new QueueLine(
                    prefix + name,
                    q.depth().getAsInt(),
                    q.spec().capacity(),
                    context.metrics().count("queue_dropped_total", "queue", name)));
        }
        return lines;
    }

    private List<Task> tasks() {
        return kernel().supervisor().tasks();
    }

    Kernel kernel() {
        return context.kernel();
    }
}
