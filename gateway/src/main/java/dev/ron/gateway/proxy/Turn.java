package dev.ron.gateway.proxy;

import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.arbiter.Caller;
import dev.ron.gateway.arbiter.Job;
import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.arbiter.Slot;
import dev.ron.gateway.arbiter.StreamPermit;
import dev.ron.gateway.arbiter.TenantKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request's claim on an upstream: asked for, waited for, held, and given back exactly once; on its loop. */
final class Turn implements Caller {
    /** Who waits for it. */
    interface Waiter {
        void granted();

        void refused(Refusal why);

        boolean gone();

        long nanos();
    }

    private final Arbiter arbiter;
    private final Worker worker;
    private final Waiter waiter;
    private @Nullable Job job;
    private @Nullable Slot slot;
    private @Nullable StreamPermit stream;

    Turn(Arbiter arbiter, Worker worker, Waiter waiter) {
        this.arbiter = arbiter;
        this.worker = worker;
        this.waiter = waiter;
    }

    /** Asks for a slot; the answer may come before this returns. */
    void ask(TenantKey tenant, int part, int weight, long deadlineAt, boolean retry) {
        long now = waiter.nanos();
        if (!worker.isUp()) {
            waiter.refused(Refusal.SHED);
            return;
        }
        Job.Builder builder = Job.of(tenant, now).part(part).weight(weight).deadline(deadlineAt);
        Job next = (retry ? builder.retry() : builder).on(worker, this);
        job = next;
        arbiter.arrive(next, now);
    }

    @Override
    public void granted(Slot granted) {
        job = null;
        if (waiter.gone()) {
            granted.release(waiter.nanos());
            return;
        }
        slot = granted;
        waiter.granted();
    }

    @Override
    public void refused(Refusal why) {
        if (worker.loop().inEventLoop()) {
            job = null;
            waiter.refused(why);
        } else {
            // Its worker is down, so whoever found that out says so; the request itself lives on its loop.
            worker.loop().execute(() -> refused(why));
        }
    }

    boolean held() {
        return slot != null;
    }

    /** The answer has no end in sight: makes room for others and keeps a permit instead; false when there is none. */
    boolean becomeStream() {
        Slot holding = slot;
        if (holding == null) {
            return stream != null;
        }
        Optional<StreamPermit> permit = holding.toStream(waiter.nanos());
        if (permit.isEmpty()) {
            return false;
        }
        stream = permit.get();
        slot = null;
        return true;
    }

    /** The upstream is done with it. */
    void release() {
        Slot holding = slot;
        slot = null;
        if (holding != null) {
            holding.release(waiter.nanos());
        }
        StreamPermit streaming = stream;
        stream = null;
        if (streaming != null) {
            streaming.close();
        }
    }

    /** The request is over, whatever it was waiting for. */
    void leave() {
        Job waiting = job;
        job = null;
        if (waiting != null) {
            arbiter.cancel(waiting, waiter.nanos());
        }
        release();
    }
}
