package dev.ron.registry.commit;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.Refusals;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Turn;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The one writer: takes what waits, makes it one batch with one sync, then shows, answers and tells.
 *
 * <p>There is no timer: while a batch is being synced the next one gathers in the queues. Nothing is acknowledged, served
 * or told before its batch is durable. After a failure of its own it reads the whole log again before it goes on.
 */
public final class Committer {
    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final int MAX_APPROVALS = 128;
    private static final int MAX_COMMITS = 256;
    private static final int MAX_PROPOSALS = 64;
    private static final int MAX_BYTES = 4 << 20;
    private static final long FIRST_PAUSE = 50_000_000L;
    private static final long LAST_PAUSE = 2_000_000_000L;

    private final Registry registry;
    private final Queues queues;
    private final Broadcast<Committed> committed;
    private final Watch.Writer<Long> heads;
    private final Clock clock;
    private final DiskState disk;
    private final Meter.Count casFailures;
    private final Meter.Count backoffs;
    private final Meter.Count accepted;
    private final Meter.Count rejected;
    private final Meter.Timing syncTime;
    private final Meter.Timing batchSize;
    private boolean mustReopen;
    private long sweptAt;
    private long fullUntil;
    private long pause = FIRST_PAUSE;

    public Committer(
            Registry registry,
            Queues queues,
            Broadcast<Committed> committed,
            Watch.Writer<Long> heads,
            Clock clock,
            Meter meter) {
        this.registry = registry;
        this.queues = queues;
        this.committed = committed;
        this.heads = heads;
        this.clock = clock;
        this.disk = new DiskState(clock);
        this.sweptAt = clock.nanos();
        this.casFailures = meter.counter("commit_cas_fail_total");
        this.backoffs = meter.counter("storage_backoff_total", "op", "append");
        this.accepted = meter.counter("registry_updates_total", "result", "accepted");
        this.rejected = meter.counter("registry_updates_total", "result", "rejected");
        this.syncTime = meter.timing("commit_fsync_seconds", "", "");
        this.batchSize = meter.timing("commit_batch_size", "", "");
    }

    public DiskState disk() {
        return disk;
    }

    /** Serves until the queues are closed and empty. */
    public void run(TaskScope scope) throws IOException {
        if (mustReopen) {
            // After a failed sync nothing will be written, and what is shown is what was durable before.
            if (!failed()) {
                registry.reopen();
            }
            mustReopen = false;
        }
        while (true) {
            Optional<Delivery<Boolean>> rung = queues.bell().receive(Deadline.after(clock, SWEEP));
            boolean last = rung.isEmpty() && queues.bell().finished();
            while (serve()) {
                // Whatever gathered while the last batch was written.
            }
            if (last) {
                return;
            }
        }
    }

    private boolean failed() {
        return registry.store()
                .trouble()
                .filter(fault -> fault.kind() == StoreFault.Kind.FAILED)
                .isPresent();
    }

    private record Pending(Ask<Job, Answer> ask, Optional<Answer> answer, Optional<RonException> refusal) {
        Reply<Answer> reply() {
            return ask.reply();
        }

        void tell() {
            answer.ifPresent(reply()::complete);
            refusal.ifPresent(reply()::fail);
        }
    }

    /** One batch; true when there may be more waiting. */
    private boolean serve() throws StoreFault {
        Turn turn = registry.begin(clock.now().toEpochMilli());
        List<Pending> pending = new ArrayList<>();
        mustReopen = true;
        boolean more = take(queues.ctl(), Integer.MAX_VALUE, turn, pending);
        more |= take(queues.approvals(), MAX_APPROVALS, turn, pending);
        more |= take(queues.commits(), MAX_COMMITS, turn, pending);
        more |= take(queues.proposals(), MAX_PROPOSALS, turn, pending);
        if (clock.nanos() - sweptAt >= SWEEP.toNanos()) {
            sweptAt = clock.nanos();
            turn.expire();
            if (turn.isEmpty() && full().isPresent()) {
                // Whether there is room again only a write tells, and perhaps nobody else writes.
                Answer _ = turn.take(
                        new Command.Note(AuditRecord.Action.RECOVER, "storage", "the disk was full"),
                        new Turn.By("registry", "-"));
            }
        }
        write(turn, pending);
        mustReopen = false;
        return more;
    }

    private boolean take(Mailbox<Ask<Job, Answer>> queue, int max, Turn turn, List<Pending> pending) {
        for (int i = 0; i < max && turn.bytes() < MAX_BYTES; i++) {
            Optional<Delivery<Ask<Job, Answer>>> next = queue.tryReceive();
            if (next.isEmpty()) {
                return false;
            }
            try {
                next.get().handle(ask -> pending.add(plan(turn, ask)));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("planning throws nothing else", e);
            }
        }
        return true;
    }

    private static Pending plan(Turn turn, Ask<Job, Answer> ask) {
        Job job = ask.question();
        try {
            return new Pending(ask, Optional.of(turn.take(job.command(), job.by())), Optional.empty());
        } catch (RonException refused) {
            return new Pending(ask, Optional.empty(), Optional.of(refused));
        }
    }

    private void write(Turn turn, List<Pending> pending) throws StoreFault {
        if (!turn.isEmpty()) {
            Optional<StoreFault> failed = append(turn);
            if (failed.isPresent()) {
                RonException why = Refusals.of(failed.get());
                pending.forEach(p -> p.reply().fail(why));
                return;
            }
            batchSize.record(turn.news().size() * 1_000_000_000L);
        }
        for (Pending p : pending) {
            if (p.ask().question().command() instanceof Command.Commit) {
                (p.refusal().isPresent() ? rejected : accepted).increment();
            }
            p.tell();
        }
        // Callers first: those who read along may be many, and the answer does not wait for them.
        turn.news().forEach(committed::publish);
        if (!turn.news().isEmpty()) {
            heads.set(registry.view().version());
        }
    }

    private Optional<StoreFault> append(Turn turn) throws StoreFault {
        Optional<StoreFault> full = full();
        if (full.isPresent() && clock.nanos() < fullUntil) {
            return full;
        }
        disk.begins();
        try {
            registry.write(turn);
            disk.good();
            pause = FIRST_PAUSE;
            return Optional.empty();
        } catch (StoreFault fault) {
            return Optional.of(react(fault));
        } finally {
            syncTime.record(disk.ends());
        }
    }

    private Optional<StoreFault> full() {
        return disk.fault().filter(fault -> fault.kind() == StoreFault.Kind.FULL);
    }

    private StoreFault react(StoreFault fault) throws StoreFault {
        switch (fault.kind()) {
            case FULL -> {
                backoffs.increment();
                // The disk is asked again after a while, not by every caller.
                fullUntil = clock.nanos() + pause + ThreadLocalRandom.current().nextLong(pause);
                pause = Math.min(2 * pause, LAST_PAUSE);
                disk.bad(fault);
            }
            case MOVED -> {
                casFailures.increment();
                try {
                    registry.reopen();
                } catch (IOException e) {
                    throw new StoreFault(StoreFault.Kind.FAILED, "the log cannot be read again", e);
                }
            }
            default -> disk.bad(fault);
        }
        return fault;
    }

    /** Refuses what nobody will serve any more. */
    static RonException stopping() {
        return new RonException(Code.DRAINING, "draining", "the service is stopping");
    }
}
