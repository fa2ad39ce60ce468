package dev.ron.gateway.proxy;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.task.TaskKind;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The worker of every event loop. */
public final class Workers {
    private final Map<EventExecutor, Worker> byLoop = new HashMap<>(); // filled at the start, never changed
    private final AtomicInteger inTransit = new AtomicInteger();

    public Workers(EventLoops loops) {
        for (EventExecutor loop : loops.group()) {
            byLoop.put(loop, new Worker((EventLoop) loop, inTransit));
        }
    }

    public void start(TaskKind kind) {
        byLoop.values().forEach(worker -> kind.spawn(worker::run));
    }

    Worker of(EventLoop loop) {
        Worker worker = byLoop.get(loop);
        if (worker == null) {
            throw new IllegalStateException("a loop of another group");
        }
        return worker;
    }

    /** Ends every worker's task as a defect would; for chaos. */
    public void kill() {
        byLoop.values().forEach(Worker::kill);
    }

    /** Slots that were granted and have not reached their request yet. */
    public int inTransit() {
        return inTransit.get();
    }
}
