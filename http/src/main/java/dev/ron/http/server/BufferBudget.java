package dev.ron.http.server;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes all callers of a host together may have waiting in it; taken before they are held, so never exceeded. */
final class BufferBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BufferBudget(long most) {
        this.most = most;
    }

    boolean tryTake(long bytes) {
        long now = taken.get();
        while (now + bytes <= most) {
            if (taken.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = taken.get();
        }
        return false;
    }

    void giveBack(long bytes) {
        if (bytes > 0) {
            taken.addAndGet(-bytes);
        }
    }

    long taken() {
        return taken.get();
    }
}
