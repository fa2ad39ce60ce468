package dev.ron.gateway.tenant;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds what is held over all requests: of bodies that wait for their turn, or of answers that wait for callers. */
public final class BufferBudget {
    private final AtomicLong held = new AtomicLong();

    public boolean tryTake(long bytes, long limit) {
        long now = held.get();
        while (now + bytes <= limit) {
            if (held.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = held.get();
        }
        return false;
    }

    public void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    public long held() {
        return held.get();
    }
}
