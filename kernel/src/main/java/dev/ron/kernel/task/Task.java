package dev.ron.kernel.task;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.TaskSpec;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One supervised thread and its life: it runs its body, and again after a failure, until it is stopped.
 *
 * <p>The same thread runs every life of the body, so at most one instance lives at a time and the end of one happens
 * before the start of the next. A body that is meant to run once is run even when the stop came first: it may be a
 * request that was accepted and is owed an answer.
 */
public final class Task implements TaskScope {
    private static final Logger LOG = LoggerFactory.getLogger(Task.class);

    private final TaskKind kind;
    private final String name;
    private final TaskBody body;
    private final Thread thread;
    private final Waiters changes = new Waiters();
    // A task per request is common and seldom needs these: they are made on first use, by the task's own thread.
    private @Nullable Backoff backoff;
    private volatile @Nullable Owned owned;
    private volatile TaskState state = TaskState.STARTING;
    private volatile boolean stopping;
    private volatile boolean resumed;
    private volatile boolean aborted;
    private volatile int restarts;

    Task(TaskKind kind, String name, TaskBody body) {
        this.kind = kind;
        this.name = name;
        this.body = body;
        this.thread = kind.thread(name, this::live);
    }

    void start() {
        thread.start();
    }

    private void live() {
        try {
            int life = 0;
            while (mayStart() && runOnce() && awaitNextStart()) {
                life++;
                restarts = life;
                kind.restarted();
            }
        } finally {
            kind.ended(this);
            become(TaskState.STOPPED);
        }
    }

    private boolean mayStart() {
        return !stopping || runsOnce();
    }

    private boolean runsOnce() {
        return spec().restart() == TaskSpec.Restart.NEVER;
    }

    /** One life of the body; true when it should have another. */
    private boolean runOnce() {
        long started = runsOnce() ? 0 : clock().nanos();
        become(TaskState.RUNNING);
        try {
            body.run(this);
            if (stopping || runsOnce() || kind.draining()) {
                kind.completed();
                return false;
            }
            return failed("unexpected_exit", null, started);
        } catch (Throwable failure) {
            if (stopping && (failure instanceof RonException || failure instanceof InterruptedException)) {
                kind.canceled();
                return false;
            }
            return failed("panic:" + failure.getClass().getSimpleName(), failure, started);
        } finally {
            Owned mine = owned;
            if (mine != null) {
                mine.closeAll();
            }
        }
    }

    private boolean failed(String reason, @Nullable Throwable failure, long started) {
        if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
            kind.fatal(this, failure);
        }
        boolean last = runsOnce() || stopping;
        boolean quarantine = !last && backoff().failed(started);
        LOG.error("task {} failed: {}", name, reason, failure);
        // Before anyone hears of the quarantine: who lifts it at once must be heard.
        resumed = false;
        if (!last) {
            become(quarantine ? TaskState.QUARANTINED : TaskState.BACKOFF);
        }
        kind.crashed(this, reason, quarantine);
        return !last;
    }

    /** Waits out the back-off or the quarantine; true when the task should start again. */
    private boolean awaitNextStart() {
        // An interrupt was meant for the life that has ended.
        Thread.interrupted();
        try {
            if (state == TaskState.QUARANTINED) {
                changes.await(name, Deadline.never(clock()), () -> (resumed || stopping) ? Boolean.TRUE : null);
                backoff().reset();
            } else {
                sleep(backoff().next());
            }
        } catch (Canceled _) {
            // Only an abort interrupts here, and it has asked the task to stop first.
        }
        return !stopping;
    }

    private Backoff backoff() {
        Backoff mine = backoff;
        if (mine == null) {
            // Asked for on the thread that draws from it: another thread's generator would start from the same seed in
            // every task, and tasks that fail together would start again together.
            mine = new Backoff(kind.policy(), clock(), ThreadLocalRandom.current());
            backoff = mine;
        }
        return mine;
    }

    private void become(TaskState next) {
        state = next;
        changes.signalAll();
    }

    @Override
    public boolean stopping() {
        return stopping;
    }

    @Override
    public boolean sleep(Duration duration) {
        return !awaitStop(Deadline.after(clock(), duration));
    }

    @Override
    public boolean awaitStop(Deadline deadline) {
        return changes.await(name, deadline, () -> stopping ? Boolean.TRUE : null) != null;
    }

    @Override
    public Deadline untilStop() {
        return new StopClock(this, clock()).deadline();
    }

    @Override
    public <C extends AutoCloseable> C own(C resource) {
        Owned mine = owned;
        if (mine == null) {
            mine = new Owned(name);
            owned = mine;
        }
        mine.add(resource);
        return resource;
    }

    /** Asks the body to end by itself. */
    public void stop() {
        stopping = true;
        changes.signalAll();
        // It may be parked on the clock of untilStop, which looks at the flag when it wakes.
        LockSupport.unpark(thread);
    }

    /** Breaks whatever the body waits for: interrupt, and close what it owns. True the first time. */
    boolean abort() {
        boolean first = !aborted;
        aborted = true;
        stop();
        thread.interrupt();
        Owned mine = owned;
        if (mine != null) {
            // On a thread of its own: a close that hangs must not hold up the abort of others.
            Thread.ofVirtual().name(thread.getName() + "/abort").start(mine::closeAll);
        }
        return first;
    }

    /** Lifts a quarantine. */
    public void resume() {
        resumed = true;
        changes.signalAll();
    }

    /** Waits for the end; false when the deadline passes first. */
    public boolean join(Deadline deadline) {
        return changes.await("join", deadline, () -> state == TaskState.STOPPED ? Boolean.TRUE : null) != null;
    }

    TaskKind kind() {
        return kind;
    }

    Thread thread() {
        return thread;
    }

    @Override
    public Clock clock() {
        return kind.clock();
    }

    @Override
    public String name() {
        return name;
    }

    public TaskSpec spec() {
        return kind.spec();
    }

    public TaskState state() {
        TaskState now = state;
        return stopping && now != TaskState.STOPPED ? TaskState.STOPPING : now;
    }

    public int restarts() {
        return restarts;
    }
}
