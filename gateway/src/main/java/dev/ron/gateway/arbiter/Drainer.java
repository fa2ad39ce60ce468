package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.PlainFifo;
import dev.ron.gateway.arbiter.drr.Shares;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scheduler on whichever thread has news, one thread at a time, and survives its failures.
 *
 * <p>A thread that finds another one leading only leaves word and goes on: nobody waits here.
 */
final class Drainer {
    private static final VarHandle RELAY;

    static {
        try {
            RELAY = MethodHandles.lookup().findVarHandle(Drainer.class, "relay", Relay.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A handed-on lead that no loop took up for so long is taken up by the next tick. */
    private static final long ORPHANED_MICROS = 50_000;

    private final Election election = new Election();
    private final Scheduler scheduler;
    private final Housekeeping housekeeping;
    private final Tenants tenants;
    private final Function<Shares, Discipline> fair;
    private final ArbiterWatch watch;
    private volatile boolean cancelled;
    private volatile @Nullable Relay relay;

    // The leader's own.
    private final CrashHistory crashes = new CrashHistory();
    private Discipline discipline;
    private @Nullable Throwable failure;
    private long now;

    // Published by the leader.
    private volatile boolean isFair = true;

    Drainer(
            Scheduler scheduler,
            Housekeeping housekeeping,
            Tenants tenants,
            Function<Shares, Discipline> fair,
            ArbiterWatch watch) {
        this.scheduler = scheduler;
        this.housekeeping = housekeeping;
        this.tenants = tenants;
        this.fair = fair;
        this.watch = watch;
        this.discipline = fair.apply(tenants.shares());
    }

    boolean isFair() {
        return isFair;
    }

    /** There is news; {@code arrived} is a job whose caller is on this stack. */
    void wake(long nowMicros, Executor loop, @Nullable Job arrived) {
        if (election.raise()) {
            lead(nowMicros, loop, arrived);
        }
    }

    /** A job was cancelled while queued: its place can be freed. */
    void wakeToDropCancelled(long nowMicros, Executor loop) {
        cancelled = true;
        wake(nowMicros, loop, null);
    }

    /** Takes up a lead that was handed to a loop which does not run any more. */
    void rescue(long nowMicros, Executor loop) {
        Relay orphan = relay;
        if (orphan != null && nowMicros - orphan.since > ORPHANED_MICROS && RELAY.compareAndSet(this, orphan, null)) {
            lead(nowMicros, loop, null);
        }
    }

    private void lead(long nowMicros, Executor loop, @Nullable Job arrived) {
        now = Math.max(now, nowMicros);
        Outbox out = new Outbox();
        while (true) {
            int seen = election.seen();
            boolean more = pass(out);
            if (more ? handOn(loop) : election.resign(seen)) {
                break;
            }
        }
        out.deliver(arrived, watch);
    }

    /** Leaves the rest to a later turn of this loop, still leading; false when the loop takes no more tasks. */
    private boolean handOn(Executor loop) {
        Relay next = new Relay(now, loop);
        relay = next;
        try {
            loop.execute(next);
            return true;
        } catch (RejectedExecutionException e) {
            return !RELAY.compareAndSet(this, next, null);
        }
    }

    /** The lead on its way to a later turn of a loop; who takes it out of the field has it. */
    private final class Relay implements Runnable {
        private final long since;
        private final Executor loop;

        Relay(long since, Executor loop) {
            this.since = since;
            this.loop = loop;
        }

        @Override
        public void run() {
            if (RELAY.compareAndSet(Drainer.this, this, null)) {
                lead(since, loop, null);
            }
        }
    }

    private boolean pass(Outbox out) {
        if (failure == null) {
            try {
                boolean dropCancelled = cancelled;
                if (dropCancelled) {
                    cancelled = false; // before the look: who cancels from now on says so again
                }
                housekeeping.run(now, discipline);
                boolean more = scheduler.pass(now, dropCancelled, discipline, out);
                housekeeping.describeIfAsked(isFair, crashes.count());
                return more;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        try {
            restart(failure, out);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e); // the next news tries again
        }
        return false;
    }

    /** Answers all, forgets the queues, keeps what runs. */
    private void restart(Throwable cause, Outbox out) {
        int shed = scheduler.shedAll(out);
        tenants.restart(discipline.slotTimeMicros(), now);
        boolean tooMany = crashes.add(now) && isFair;
        isFair &= !tooMany;
        discipline = isFair ? fair.apply(tenants.shares()) : new PlainFifo();
        failure = null;
        out.notice(w -> w.restarted(cause, shed));
        if (tooMany) {
            out.notice(ArbiterWatch::fellBackToFifo);
        }
    }
}
