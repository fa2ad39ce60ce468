package dev.ron.registry.task;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.Notary;
import dev.ron.registry.tlog.Witness;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs what is new, remembers it outside the log, and now and then writes all that a reader of files needs. */
public final class Checkpointer {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    // Seldom enough that its syncs do not stand in the way of the committer's.
    private static final Duration WITNESS_EVERY = Duration.ofSeconds(5);

    private final Registry registry;
    private final Notary notary;
    private final List<Witness> witnesses;
    private final Optional<Archive> archive;
    private final Supplier<Duration> interval;
    private final Mailbox<Long> retention;
    private final Meter.Count good;
    private final Meter.Count failed;
    private volatile long archivedSize;

    public Checkpointer(
            Registry registry,
            Notary notary,
            List<Witness> witnesses,
            Optional<Archive> archive,
            Supplier<Duration> interval,
            Mailbox<Long> retention,
            Meter meter) {
        this.registry = registry;
        this.notary = notary;
        this.witnesses = List.copyOf(witnesses);
        this.archive = archive;
        this.interval = interval;
        this.retention = retention;
        this.good = meter.counter("registry_checkpoint_total", "result", "ok");
        this.failed = meter.counter("registry_checkpoint_total", "result", "error");
    }

    public void run(TaskScope scope, Watch<Long> heads) {
        Deadline next = Deadline.after(scope.clock(), interval.get());
        while (!scope.stopping()) {
            long seen = heads.current().version();
            notary.checkpoint(registry.view());
            remember();
            if (next.expired()) {
                store();
                next = Deadline.after(scope.clock(), interval.get());
            }
            if (!scope.sleep(WITNESS_EVERY)) {
                break;
            }
            heads.awaitNewerThan(seen, scope.untilStop().within(next.remaining()));
        }
        remember();
    }

    /** At the end, once nothing is written any more. */
    public void remember() {
        if (damaged()) {
            return;
        }
        for (Witness witness : witnesses) {
            try {
                witness.remember(registry.view());
            } catch (IOException e) {
                failed.increment();
                LOG.warn("the witness of the head could not be written: {}", e.getMessage());
            }
        }
    }

    /** Writes a checkpoint with its tiles and a snapshot, then lets the pruner look. */
    public void store() {
        if (archive.isEmpty() || damaged()) {
            return;
        }
        try {
            View view = registry.view();
            archive.get().store(view, notary.checkpoint(view));
            archivedSize = view.version();
            good.increment();
            if (retention.trySend(view.version()) != Sent.ACCEPTED) {
                LOG.info("pruning still has a checkpoint to look at; skipped this one");
            }
        } catch (IOException e) {
            failed.increment();
            LOG.warn("the checkpoint could not be written: {}", e.getMessage());
        }
    }

    /** A log that can be read up to its damage only is shorter than it was: what remembers more must not forget it. */
    private boolean damaged() {
        return registry.recovery().damage().isPresent();
    }

    /** The size of the last checkpoint on disk. */
    public long archivedSize() {
        return archivedSize;
    }
}
