package dev.ron.registry.task;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes when a checkpoint was stored; one file at a time, so that it never stands in anybody's way for long. */
public final class Pruner {
    private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);

    private final Pruning pruning;

    /** Prunes at most one file; false when there is nothing to prune. */
    @FunctionalInterface
    public interface Pruning {
        boolean pruneOne(long checkpoint) throws Exception;
    }

    public Pruner(Pruning pruning) {
        this.pruning = pruning;
    }

    public void run(TaskScope scope, Mailbox<Long> commands) throws Exception {
        while (true) {
            Optional<Delivery<Long>> next = commands.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            while (!scope.stopping() && pruning.pruneOne(next.get().item())) {
                LOG.info("pruned payloads covered by checkpoint {}", next.get().item());
            }
        }
    }
}
