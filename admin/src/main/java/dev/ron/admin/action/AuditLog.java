package dev.ron.admin.action;

import dev.ron.admin.AdminMetrics;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.admin.view.AuditPage;
import dev.ron.admin.view.AuditRecord;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who did what, in a chain: one task writes, and a caller goes on only when its line is kept.
 *
 * <p>Where a line cannot be written its caller is told, and does not act.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int RING = 1000;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final AuditStore store;
    private final Mailbox<Ask<AuditEntry, AuditRecord>> in;
    private final Clock clock;
    private final AdminMetrics metrics;
    private final Broadcast<FleetEvent> events;
    private final Snapshot<Kept> kept;
    // Only the task touches these.
    private long seq;
    private String hash;

    /** The newest records, oldest first, and what is wrong with the chain. */
    private record Kept(List<AuditRecord> records, Optional<String> flaw) {}

    private AuditLog(
            AuditStore store,
            Mailbox<Ask<AuditEntry, AuditRecord>> in,
            Clock clock,
            AdminMetrics metrics,
            Broadcast<FleetEvent> events,
            Kept found) {
        this.store = store;
        this.in = in;
        this.clock = clock;
        this.metrics = metrics;
        this.events = events;
        List<AuditRecord> records = found.records();
        this.seq = records.isEmpty() ? 0 : records.getLast().seq();
        this.hash = records.isEmpty() ? AuditLine.FIRST : records.getLast().hash();
        this.kept = new Snapshot<>(new Kept(newest(records), found.flaw()));
    }

    /** Reads what is kept and looks at its chain; a break is told loudly and does not keep the console from starting. */
    static AuditLog open(
            AuditStore store,
            Mailbox<Ask<AuditEntry, AuditRecord>> in,
            Clock clock,
            AdminMetrics metrics,
            Broadcast<FleetEvent> events)
            throws IOException {
        AuditStore.Loaded loaded = store.load();
        Optional<String> flaw = loaded.trouble().isEmpty() ? flaw(loaded.records()) : Optional.of(loaded.trouble());
        flaw.ifPresent(why -> {
            metrics.chainBroken();
            LOG.error("the audit log is not whole: {}", why);
        });
        return new AuditLog(store, in, clock, metrics, events, new Kept(loaded.records(), flaw));
    }

    /** Opens the log of a folder, or one in memory where there is none. */
    public static AuditLog open(
            Optional<java.nio.file.Path> folder,
            long maxBytes,
            int keep,
            Mailbox<Ask<AuditEntry, AuditRecord>> in,
            Clock clock,
            AdminMetrics metrics,
            Broadcast<FleetEvent> events)
            throws IOException {
        AuditStore store = folder.isPresent() ? AuditFile.open(folder.get(), maxBytes, keep) : AuditStore.inMemory();
        return open(store, in, clock, metrics, events);
    }

    static Optional<String> flaw(List<AuditRecord> records) {
        for (int i = 0; i < records.size(); i++) {
            AuditRecord record = records.get(i);
            // Older files may be gone: the first line that is kept vouches for nothing before it.
            long seq = i == 0 ? record.seq() : records.get(i - 1).seq() + 1;
            String prev = i == 0 ? record.prevHash() : records.get(i - 1).hash();
            String flaw = AuditLine.flaw(record, seq, prev);
            if (flaw != null) {
                return Optional.of(flaw);
            }
        }
        return Optional.empty();
    }

    private static List<AuditRecord> newest(List<AuditRecord> records) {
        return List.copyOf(records.subList(Math.max(0, records.size() - RING), records.size()));
    }

    public void run(TaskScope scope) throws Exception {
        while (true) {
            Optional<Delivery<Ask<AuditEntry, AuditRecord>>> next = in.receive(Deadline.never(clock));
            if (next.isEmpty()) {
                store.close();
                return;
            }
            // An outcome is written although its caller may have given up: what was done must be on record.
            Ask<AuditEntry, AuditRecord> ask = next.get().item();
            try {
                ask.reply().complete(write(ask.question()));
            } catch (IOException e) {
                metrics.auditFailed();
                LOG.error("the audit log cannot be written: {}", e.toString());
                ask.reply().fail(unavailable("the audit log cannot be written"));
            }
        }
    }

    private AuditRecord write(AuditEntry entry) throws IOException {
        AuditRecord record = AuditLine.chain(entry, seq + 1, clock.now().toString(), hash);
        store.append(record);
        seq = record.seq();
        hash = record.hash();
        List<AuditRecord> next = new ArrayList<>(kept.get().records());
        next.add(record);
        kept.publish(new Kept(newest(next), kept.get().flaw()));
        metrics.audited(record.phase());
        events.publish(new FleetEvent.Audited(record));
        return record;
    }

    /** Has a line written and waits until it is kept; otherwise a 503 {@code audit_unavailable}. */
    AuditRecord append(AuditEntry entry) {
        Ask<AuditEntry, AuditRecord> ask = Ask.of(entry);
        Sent sent = in.trySend(ask);
        if (sent != Sent.ACCEPTED) {
            metrics.busy("audit");
            throw unavailable(sent == Sent.FULL ? "too much is being audited" : "the console is stopping");
        }
        try {
            return ask.reply().await(Deadline.after(clock, WAIT));
        } catch (RonException e) {
            throw e.code() == Code.TIMEOUT ? unavailable("the audit log did not answer in time") : e;
        }
    }

    private static RonException unavailable(String detail) {
        return new RonException(Code.UNAVAILABLE, "audit_unavailable", detail, Duration.ofSeconds(2), null);
    }

    public boolean durable() {
        return store.durable();
    }

    /** The newest records that fit, newest first. */
    public AuditPage page(Predicate<AuditRecord> wanted, long before, int limit) {
        Kept now = kept.get();
        List<AuditRecord> found = new ArrayList<>();
        Long next = null;
        for (int i = now.records().size() - 1; i >= 0; i--) {
            AuditRecord record = now.records().get(i);
            if (record.seq() < before && wanted.test(record)) {
                if (found.size() == limit) {
                    next = found.getLast().seq();
                    break;
                }
                found.add(record);
            }
        }
        return new AuditPage(found, next, now.flaw().isEmpty(), now.flaw().orElse(null), store.durable());
    }
}
