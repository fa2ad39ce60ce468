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

    @Override
    public void execute(Runnable grant) {
        if (!up) {
            throw new RejectedExecutionException("the worker of this loop is down");
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
