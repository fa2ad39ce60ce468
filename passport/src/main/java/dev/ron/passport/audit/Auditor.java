package dev.ron.passport.audit;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events from anyone without making them wait, and writes them from one task.
 *
 * <p>What cannot be written is kept and tried again: one batch here, and behind it as much as the queue holds. Beyond that
 * events are dropped and counted, and where the record is required nothing happens any more that would need one.
 */
public final class Auditor {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
    private static final int MAX_BATCH = 512;
    /** Nobody waits for a line that is not required: waking up for each costs more than writing it. */
    private static final Duration GATHER = Duration.ofMillis(20);

    private static final Duration RETRY = Duration.ofMillis(500);

    private final Mailbox<AuditEvent> queue;
    private final Optional<AuditFile> file;
    private final BooleanSupplier required;
    private final Meter.Count dropped;
    private final Meter.Count failures;
    private volatile String trouble = "";

    /** @param file empty where nothing is written: a process that keeps everything in RAM */
    public Auditor(Mailbox<AuditEvent> queue, Optional<AuditFile> file, BooleanSupplier required, Meter meter) {
        this.queue = queue;
        this.file = file;
        this.required = required;
        this.dropped =
                meter.counter("queue_dropped_total", "queue", queue.spec().name());
        this.failures = meter.counter("svc_passport_audit_failures_total");
    }

    /** Notes what cannot be undone any more; where there is no room for it, it is counted. */
    public void note(AuditEvent event) {
        if (file.isPresent() && queue.trySend(event) != Sent.ACCEPTED) {
            dropped.increment();
        }
    }

    /** Notes what is about to happen; where it must be on record and cannot be, it does not happen. */
    public void require(AuditEvent event) {
        if (!required.getAsBoolean()) {
            note(event);
            return;
        }
        if (!trouble.isEmpty() || file.isEmpty() || queue.trySend(event) != Sent.ACCEPTED) {
            dropped.increment();
            throw new RonException(
                    Code.UNAVAILABLE,
                    "audit_unavailable",
                    "this cannot be put on record now (passport.audit.required)",
                    Duration.ofSeconds(1),
                    null);
        }
    }

    /** Why the last attempt to write has failed; empty while all is well. */
    public String trouble() {
        return trouble;
    }

    /** False while something that must be on record cannot be. */
    public boolean writing() {
        return trouble.isEmpty() || !required.getAsBoolean();
    }

    public void run(TaskScope scope) throws Exception {
        if (file.isEmpty()) {
            scope.awaitStop(Deadline.never(scope.clock()));
            return;
        }
        List<AuditEvent> batch = new ArrayList<>();
        while (true) {
            Optional<Delivery<AuditEvent>> next = queue.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                file.get().close();
                return;
            }
            while (next.isPresent()) {
                next.get().handle(batch::add);
                next = batch.size() < MAX_BATCH ? queue.tryReceive() : Optional.empty();
            }
            writeOrKeepTrying(file.get(), batch, scope);
            batch.clear();
            if (!required.getAsBoolean()) {
                scope.awaitStop(Deadline.after(scope.clock(), GATHER));
            }
        }
    }

    private void writeOrKeepTrying(AuditFile to, List<AuditEvent> batch, TaskScope scope) {
        while (!written(to, batch, scope.clock().now().toEpochMilli())) {
            if (scope.stopping()) {
                LOG.error("{} events are not on record: {}", batch.size(), trouble);
                batch.forEach(_ -> dropped.increment());
                return;
            }
            scope.awaitStop(Deadline.after(scope.clock(), RETRY));
        }
    }

    private boolean written(AuditFile to, List<AuditEvent> batch, long atMillis) {
        try {
            to.append(batch, atMillis, required.getAsBoolean());
        } catch (IOException e) {
            failed("the audit file cannot be written: " + e);
            return false;
        }
        try {
            to.moveAsideIfFull();
            trouble = "";
        } catch (IOException e) {
            failed("the audit file is full and cannot be moved aside: " + e);
        }
        return true;
    }

    private void failed(String why) {
        failures.increment();
        if (trouble.isEmpty()) {
            LOG.error(why);
        }
        trouble = why;
    }
}
