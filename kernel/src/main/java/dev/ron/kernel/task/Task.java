package dev.ron.kernel.task;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.TaskSpec;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One supervised thread and its life: it runs its body, and again after a failure, until it is stopped.
 *
 * <p>The same thread runs every life of the body, so at most one instance lives at a time and the end of one happens
 * before the start of the next.
 */
public final class Task implements TaskScope {
    private static final Logger LOG = LoggerFactory.getLogger(Task.class);

    private final TaskSpec spec;
    private final String name;
    private final TaskBody body;
    private final Supervisor supervisor;
    private final Backoff backoff;
    private final Thread thread;
    private final Waiters changes = new Waiters();
    private final Deque<AutoCloseable> owned = new ConcurrentLinkedDeque<>();
    private volatile TaskState state = TaskState.STARTING;
    private volatile boolean stopping;
    private volatile boolean resumed;
    private final AtomicInteger restarts = new AtomicInteger();
    private volatile boolean aborted;

    Task(TaskSpec spec, String name, TaskBody body, Supervisor supervisor, Backoff backoff) {
        this.spec = spec;
        this.name = name;
        this.body = body;
        this.supervisor = supervisor;
        this.backoff = backoff;
        Thread.Builder builder = spec.runner() == TaskSpec.Runner.VIRTUAL
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon(true);
        this.thread = builder.name(supervisor.service() + "/" + name).unstarted(this::live);
    }

    void start() {
        thread.start();
    }

    private void live() {
        try {
            while (!stopping && runOnce() && awaitNextStart()) {
                restarts.incrementAndGet();
                supervisor.restarted(this);
            }
        } finally {
            become(TaskState.STOPPED);
            supervisor.ended(this);
        }
    }

    /** One life of the body; true when it should have another. */
    private boolean runOnce() {
        become(TaskState.RUNNING);
        try {
            body.run(this);
            if (stopping || spec.restart() == TaskSpec.Restart.NEVER) {
                supervisor.completed(this);
                return false;
            }
            return failed("unexpected_exit", null);
        } catch (Throwable failure) {
            if (stopping && (failure instanceof RonException || failure instanceof InterruptedException)) {
                supervisor.canceled(this);
                return false;
            }
            return failed("panic:" + failure.getClass().getSimpleName(), failure);
        } finally {
            closeOwned();
        }
    }

    private boolean failed(String reason, @Nullable Throwable failure) {
        if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
            supervisor.fatal(this, failure);
        }
        boolean last = spec.restart() == TaskSpec.Restart.NEVER || stopping;
        boolean quarantine = !last && backoff.failed();
        LOG.error("task {} failed: {}", name, reason, failure);
        supervisor.crashed(this, reason, quarantine);
        if (quarantine) {
            resumed = false;
            become(TaskState.QUARANTINED);
        } else if (!last) {
            become(TaskState.BACKOFF);
        }
        return !last;
    }

    /** Waits out the back-off or the quarantine; true when the task should start again. */
    private boolean awaitNextStart() {
        boolean wasInterrupted = Thread.interrupted();
        if (wasInterrupted && stopping) {
            return false;
        }
        if (state == TaskState.QUARANTINED) {
            changes.await(name, Deadline.never(clock()), () -> (resumed || stopping) ? Boolean.TRUE : null);
            backoff.reset();
        } else {
            sleep(backoff.next());
        }
        return !stopping;
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
    public <C extends AutoCloseable> C own(C resource) {
        owned.addFirst(resource);
        return resource;
    }

    private void closeOwned() {
        for (AutoCloseable resource = owned.poll(); resource != null; resource = owned.poll()) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("task {} could not close {}", name, resource, e);
            }
        }
    }

    /** Asks the body to end by itself. */
    public void stop() {
        stopping = true;
        changes.signalAll();
    }

    /** Breaks whatever the body waits for: interrupt, and close what it owns. */
    void abort() {
        stop();
        aborted = true;
        thread.interrupt();
        closeOwned();
    }

    boolean aborted() {
        return aborted;
    }

    /** Lifts a quarantine. */
    public void resume() {
        resumed = true;
        changes.signalAll();
    }

    /** Waits for the end; false when the deadline passes first. */
    public boolean join(Deadline deadline) {
        return changes.await("join " + name, deadline, () -> state == TaskState.STOPPED ? Boolean.TRUE : null) != null;
    }

    Thread thread() {
        return thread;
    }

    @Override
    public Clock clock() {
        return supervisor.clock();
    }

    @Override
    public String name() {
        return name;
    }

    public TaskSpec spec() {
        return spec;
    }

    public TaskState state() {
        return state;
    }

    public int restarts() {
        return restarts.get();
    }
}
