package dev.ron.http.sse;

import dev.ron.http.loop.Timeout;
import dev.ron.http.loop.TimerWheel;
import dev.ron.kernel.meter.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The callers of a topic on one event loop, and the events on their way to them. */
final class LoopFan implements Runnable {
    private static final int SLOTS = 64;
    private static final byte[] BEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLoop loop;
    private final Meter.Count dropped;
    private final Set<SseClient> clients = new HashSet<>(); // on the loop only
    private final Queue<ByteBuf> events = PlatformDependent.newFixedMpmcQueue(SLOTS);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Timeout beat;
    private final long heartbeatNanos;
    private volatile int size;

    LoopFan(EventLoop loop, TimerWheel timers, long heartbeatNanos, Meter.Count dropped) {
        this.loop = loop;
        this.dropped = dropped;
        this.heartbeatNanos = heartbeatNanos;
        this.beat = new Timeout(timers) {
            @Override
            protected void expired() {
                beat();
            }
        };
    }

    void add(SseClient client) {
        if (clients.isEmpty()) {
            beat.after(heartbeatNanos);
        }
        clients.add(client);
        size = clients.size();
    }

    void remove(SseClient client) {
        clients.remove(client);
        size = clients.size();
    }

    int size() {
        return size;
    }

    /** From any thread. A loop that is 64 events behind loses the oldest, like a caller that is. */
    void publish(ByteBuf shared) {
        if (size == 0) {
            return;
        }
        ByteBuf mine = shared.retain();
        while (!events.offer(mine)) {
            ByteBuf oldest = events.poll();
            if (oldest != null) {
                oldest.release();
                dropped.add(size);
            }
        }
        wake();
    }

    private void wake() {
        // The flag is cleared before the queue is read, so an event that comes after the last poll wakes the loop
        // again.
        if (awake.compareAndSet(false, true)) {
            try {
                loop.execute(this);
            } catch (RejectedExecutionException loopEnded) {
                releaseAll();
            }
        }
    }

    private void releaseAll() {
        for (ByteBuf event = events.poll(); event != null; event = events.poll()) {
            event.release();
        }
    }

    /** One turn: every event that waits, to every caller of this loop. */
    @Override
    public void run() {
        awake.set(false);
        for (ByteBuf event = events.poll(); event != null; event = events.poll()) {
            for (SseClient client : new ArrayList<>(clients)) {
                client.offer(event.retainedDuplicate());
            }
            event.release();
        }
    }

    private void beat() {
        if (clients.isEmpty()) {
            return;
        }
        for (SseClient client : new ArrayList<>(clients)) {
            client.beat(Unpooled.wrappedBuffer(BEAT));
        }
        beat.after(heartbeatNanos);
    }
}
