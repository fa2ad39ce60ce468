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
        return tryTake(bytes, most);
    }

    /** Only where half of it stays free: for what is wished for, beside what has come already. */
    boolean tryTakeSpare(long bytes) {
        return tryTake(bytes, most / 2);
    }

    private boolean tryTake(long bytes, long within) {
        long now = taken.get();
        while (now + bytes <= within) {
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
