package dev.ron.admin.sample;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Wishes for a fresh sample: queued within a bound, one per node, at most one a second for each. */
public final class Refreshes {
    private static final long SPACING = Duration.ofSeconds(1).toNanos();

    private final Mailbox<String> queue;
    private final Fleet fleet;
    private final Clock clock;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet(); // at most as many as the queue has places
    private final Map<String, Long> last = new ConcurrentHashMap<>(); // at most one per node

    public Refreshes(Mailbox<String> queue, Fleet fleet, Clock clock) {
        this.queue = queue;
        this.fleet = fleet;
        this.clock = clock;
    }

    /** True when the wish was queued, false when one waits already; a full queue is a 429. */
    public boolean ask(String nodeId) {
        if (!waiting.add(nodeId)) {
            return false;
        }
        Sent sent = queue.trySend(nodeId);
        if (sent != Sent.ACCEPTED) {
            waiting.remove(nodeId);
            throw sent == Sent.FULL
                    ? new RonException(
                            Code.BUSY, "busy", "too many nodes are being refreshed", Duration.ofSeconds(1), null)
                    : new RonException(Code.DRAINING, "draining", "the console is stopping");
        }
        return true;
    }

    public void run(TaskScope scope) {
        while (!scope.stopping()) {
            Optional<Delivery<String>> next = queue.receive(Deadline.never(clock));
            if (next.isEmpty()) {
                return;
            }
            String id = next.get().item();
            waiting.remove(id);
            long now = clock.nanos();
            last.values().removeIf(at -> now - at > SPACING);
            if (last.putIfAbsent(id, now) == null) {
                fleet.wake(id);
            }
        }
    }
}
