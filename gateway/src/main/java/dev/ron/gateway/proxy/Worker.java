package dev.ron.gateway.proxy;

import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands granted slots to the requests of one event loop, for as long as its supervised task lives.
 *
 * <p>While the task is down nothing is handed over: what was on its way is answered {@code shed} and gives its slot back.
 */
final class Worker implements Executor {
    private final EventLoop loop;
    private final AtomicInteger inTransit;
    private boolean handingOver; // of the loop
    private volatile boolean up = true;
    private volatile @Nullable Thread runner;

    Worker(EventLoop loop, AtomicInteger inTransit) {
        this.loop = loop;
        this.inTransit = inTransit;
    }

    /** The body of its task. */
    void run(TaskScope scope) {
        runner = Thread.currentThread();
        up = true;
        try {
            scope.awaitStop(Deadline.never(scope.clock()));
        } finally {
            // A stop leaves it working: what is in hand when the process drains is finished.
            up = scope.stopping();
        }
    }

    /** Ends its task as a defect would; for chaos. */
    void kill() {
        Thread running = runner;
        if (running != null) {
            running.interrupt();
        }
    }

    boolean isUp() {
        return up;
    }

    EventLoop loop() {
        return loop;
    }

    /**
     * A slot that was given back on this loop goes on at once, before the answer that freed it is even written: what it
     * waits for the upstream stands idle. One at a time, since a request that gives its slot back at once would else build
     * a tower of calls; the next ones take a turn of the loop.
     */
    private void handOver(Runnable grant) {
        handingOver = true;
        try {
            grant.run();
        } finally {
            handingOver = false;
        }
    }

    @Override
    public void execute(Runnable grant) {
        if (!up) {
            throw new RejectedExecutionException("the worker of this loop is down");
        }
        if (loop.inEventLoop() && !handingOver) {
            handOver(grant);
            return;
        }
        inTransit.incrementAndGet();
        try {
            loop.execute(() -> {
                inTransit.decrementAndGet();
                grant.run();
            });
        } catch (RejectedExecutionException e) {
            inTransit.decrementAndGet();
            throw e;
        }
    }
}
