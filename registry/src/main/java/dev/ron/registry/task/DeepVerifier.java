package dev.ron.registry.task;

import dev.ron.kernel.task.TaskScope;
import dev.ron.ledger.Refused;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.registry.book.Registry;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the log again from its beginning and checks everything, signatures and audit chain included, in small slices. */
public final class DeepVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(DeepVerifier.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int BUSY_SHARE = 10;

    private final Registry registry;
    private final Supplier<Duration> slice;
    private final Consumer<String> onDamage;
    private @Nullable Ledger ledger;
    private @Nullable AuditRecord audit;
    private boolean blind;
    private volatile long verified;
    private volatile long failures;
    private volatile Optional<String> damage = Optional.empty();

    public DeepVerifier(Registry registry, Supplier<Duration> slice, Consumer<String> onDamage) {
        this.registry = registry;
        this.slice = slice;
        this.onDamage = onDamage;
    }

    public void run(TaskScope scope) {
        long seen = registry.view().version();
        while (scope.sleep(EVERY) && damage.isEmpty()) {
            long head = registry.view().version();
            // While commits come in, most of the processor is theirs: a long slice would show in their slowest
            // hundredth.
            long nanos = slice.get().toNanos() / (head == seen ? 1 : BUSY_SHARE);
            seen = head;
            long end = scope.clock().nanos() + nanos;
            try {
                while (scope.clock().nanos() < end && step()) {
                    // until the slice is used up or everything is checked
                }
            } catch (IOException | Refused e) {
                failures = 1;
                damage = Optional.of(String.valueOf(e.getMessage()));
                LOG.error("the log does not verify: {}", e.getMessage());
                onDamage.accept(String.valueOf(e.getMessage()));
            }
        }
        scope.awaitStop(dev.ron.kernel.time.Deadline.never(scope.clock()));
    }

    /** Checks one commit and the audit records up to as many; false when there is nothing left. */
    private boolean step() throws IOException, Refused {
        boolean commits = commit();
        boolean audits = auditRecord();
        return commits || audits;
    }

    private boolean commit() throws IOException, Refused {
        long next = verified + 1;
        if (next > registry.view().version()) {
            return false;
        }
        Optional<Artifact> artifact = registry.artifact(next);
        if (artifact.isEmpty() || blind) {
            // Behind a pruned payload the state is unknown: the chain goes on, the votes cannot be counted against it.
            blind = true;
            Ledger before = ledger;
            if (before != null) {
                registry.entry(next).mustFollow(registry.entry(next - 1));
            }
        } else {
            Ledger before = ledger;
            ledger = before == null ? Ledger.open(artifact.get()) : before.accept(artifact.get(), Rigor.SIGNATURES);
        }
        verified = next;
        return true;
    }

    private boolean auditRecord() throws IOException, Refused {
        AuditRecord before = audit;
        long next = before == null ? 1 : before.seq() + 1;
        if (next > registry.view().auditSeq()) {
            return false;
        }
        AuditRecord record = registry.audit(next);
        if (before != null) {
            record.mustFollow(before);
        }
        audit = record;
        return true;
    }

    /** The last version that was checked. */
    public long verified() {
        return verified;
    }

    public long failures() {
        return failures;
    }

    public Optional<String> damage() {
        return damage;
    }
}
