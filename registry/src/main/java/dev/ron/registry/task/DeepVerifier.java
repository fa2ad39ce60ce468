package dev.ron.registry.task;

import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.Refused;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Scrutiny;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the whole log checked again in small slices, and once a day from its beginning.
 *
 * <p>Only what is wrong in the log itself is damage. A read that fails, because a disk stutters or the log is being read
 * anew, says nothing about what is written: it is tried again in the next slice.
 */
public final class DeepVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(DeepVerifier.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int BUSY_SHARE = 10;
    // What was whole when it was read may rot later.
    private static final long ANEW = Duration.ofHours(24).toNanos();

    private final Registry registry;
    private final Supplier<Duration> slice;
    private final Consumer<String> onDamage;
    private final AtomicLong failures = new AtomicLong();
    private Scrutiny scrutiny;
    private long began;
    private boolean done;
    private volatile boolean again;
    private volatile long verified;
    private volatile Optional<String> damage = Optional.empty();

    public DeepVerifier(Registry registry, Supplier<Duration> slice, Consumer<String> onDamage) {
        this.registry = registry;
        this.slice = slice;
        this.onDamage = onDamage;
        this.scrutiny = new Scrutiny(registry);
    }

    public void run(TaskScope scope) {
        long seen = registry.view().version();
        began = scope.clock().nanos();
        while (scope.sleep(EVERY)) {
            long head = registry.view().version();
            // While commits come in, most of the processor is theirs: a long slice would show in
            // their slowest hundredth.
            long nanos = slice.get().toNanos() / (head == seen ? 1 : BUSY_SHARE);
            seen = head;
            check(scope, scope.clock().nanos() + nanos);
        }
        scope.awaitStop(Deadline.never(scope.clock()));
    }

    private void check(TaskScope scope, long end) {
        long now = scope.clock().nanos();
        if (again || (done && now - began >= ANEW)) {
            again = false;
            done = false;
            began = now;
            scrutiny = new Scrutiny(registry);
            damage = Optional.empty();
        }
        try {
            while (damage.isEmpty() && scope.clock().nanos() < end) {
                done = !scrutiny.step();
                if (done) {
                    break;
                }
            }
        } catch (Refused e) {
            found(e.detail());
        } catch (IOException e) {
            if (e instanceof StoreFault fault && fault.kind() == StoreFault.Kind.CORRUPT) {
                found(String.valueOf(e.getMessage()));
            } else {
                LOG.warn("checking the log goes on later, it cannot be read now: {}", e.toString());
            }
        }
        verified = scrutiny.verified();
    }

    private void found(String what) {
        failures.incrementAndGet();
        damage = Optional.of(what);
        LOG.error("the log does not verify: {}", what);
        onDamage.accept(what);
    }

    /** Begins again with the next slice, and forgets what was found: what is still wrong is found again. */
    public void again() {
        again = true;
    }

    /** The last version that was checked. */
    public long verified() {
        return verified;
    }

    public long failures() {
        return failures.get();
    }

    public Optional<String> damage() {
        return damage;
    }
}
