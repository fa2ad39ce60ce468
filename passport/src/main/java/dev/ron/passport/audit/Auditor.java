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

/** Takes events from anyone without making them wait, and writes them from one task. */
public final class Auditor {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
    private static final int MAX_BATCH = 512;
    /** Nobody waits for a line that is not required: waking up for each costs more than writing it. */
    private static final Duration GATHER = Duration.ofMillis(20);

    private final Mailbox<AuditEvent> queue;
    private final Optional<AuditFile> file;
    private final BooleanSupplier required;
    private final Meter.Count dropped;
    private final Meter.Count failures;
    private volatile boolean writing = true;

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
        if (!writing || file.isEmpty() || queue.trySend(event) != Sent.ACCEPTED) {
            dropped.increment();
            throw new RonException(
                    Code.UNAVAILABLE,
                    "audit_unavailable",
                    "this cannot be put on record now (passport.audit.required)",
                    Duration.ofSeconds(1),
                    null);
        }
    }

    /** False while the last attempt to write has failed. */
    public boolean writing() {
        return writing || !required.getAsBoolean();
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
            write(file.get(), batch, scope.clock().now().toEpochMilli());
            batch.clear();
            if (!required.getAsBoolean()) {
                scope.awaitStop(Deadline.after(scope.clock(), GATHER));
            }
        }
    }

    private void write(AuditFile to, List<AuditEvent> batch, long atMillis) {
        try {
            to.append(batch, atMillis);
            if (required.getAsBoolean()) {
                to.sync();
            }
            writing = true;
        } catch (IOException e) {
            failures.increment();
            if (writing) {
                LOG.error("the audit file cannot be written: {}", e.toString());
            }
            writing = false;
        }
    }
}
