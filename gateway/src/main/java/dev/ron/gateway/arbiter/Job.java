package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Ticket;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request for a slot.
 *
 * <p>Its state leaves NEW or QUEUED by exactly one compare-and-set, and who wins that step alone answers it: however
 * grant, cancel, expiry and shutdown race, there is one answer.
 */
public final class Job extends Ticket {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Job.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    enum State {
        NEW,
        QUEUED,
        GRANTED,
        CANCELLED,
        EXPIRED,
        SHED,
        DRAINED
    }

    /** What it occupies in the word while it is undecided. */
    enum Place {
        NONE,
        SEAT,
        DOORWAY
    }

    private final TenantKey tenant;
    private final int weight;
    private final long arrivalNanos;
    private final long deadlineNanos;
    private final boolean retry;
    private final Executor loop;
    private final Caller caller;
    private volatile State state = State.NEW;

    // Written before the job is published, then the scheduler's own.
    Place place = Place.NONE;

    @Nullable
    Job nextInLine;

    @Nullable
    Tenant known;

    int rollIndex = -1;
    long expiryMicros;

    // The answer, written by the winner before it is delivered.
    private @Nullable Slot slot;
    private @Nullable Refusal refusal;

    private Job(Builder from, Executor loop, Caller caller) {
        super(from.part);
        this.tenant = from.tenant;
        this.weight = from.weight;
        this.arrivalNanos = from.arrivalNanos;
        this.deadlineNanos = from.deadlineNanos;
        this.retry = from.retry;
        this.loop = loop;
        this.caller = caller;
    }

    /** A job of this tenant, arriving now; weight 1, no deadline of its own, not a retry. */
    public static Builder of(TenantKey tenant, long nowNanos) {
        return new Builder(tenant, nowNanos);
    }

    /** The parts of a job that have defaults. */
    public static final class Builder {
        private final TenantKey tenant;
        private final long arrivalNanos;
        private int weight = 1;
        private long deadlineNanos = Long.MAX_VALUE;
        private boolean retry;
        private int part;

        private Builder(TenantKey tenant, long arrivalNanos) {
            this.tenant = tenant;
            this.arrivalNanos = arrivalNanos;
        }

        public Builder weight(int quantum) {
            if (quantum < 1 || quantum > 1_000) {
                throw new IllegalArgumentException("weight: " + quantum + " (expected: 1..1000)");
            }
            weight = quantum;
            return this;
        }

        public Builder deadline(long atNanos) {
            deadlineNanos = atNanos;
            return this;
        }

        /** For a tenant that is many callers under one name: which of them; 0 for all others. */
        public Builder part(int which) {
            part = which;
            return this;
        }

        /** It has waited its turn before, so it goes to the head of its tenant's queue. */
        public Builder retry() {
            retry = true;
            return this;
        }

        /** {@code caller} hears the answer on {@code loop}, which is also where the job arrives. */
        public Job on(Executor loop, Caller caller) {
            return new Job(this, loop, caller);
        }
    }

    boolean isPart() {
        return part() != 0;
    }

    TenantKey tenant() {
        return tenant;
    }

    int weight() {
        return weight;
    }

    long arrivalMicros() {
        return arrivalNanos / 1_000;
    }

    long deadlineMicros() {
        return deadlineNanos / 1_000;
    }

    boolean isRetry() {
        return retry;
    }

    Executor loop() {
        return loop;
    }

    State state() {
        return state;
    }

    boolean isQueued() {
        return state == State.QUEUED;
    }

    boolean enterQueue() {
        return STATE.compareAndSet(this, State.NEW, State.QUEUED);
    }

    boolean cancel(State from) {
        return STATE.compareAndSet(this, from, State.CANCELLED);
    }

    boolean grant(State from, Slot granted) {
        if (!STATE.compareAndSet(this, from, State.GRANTED)) {
            return false;
        }
        slot = granted;
        return true;
    }

    boolean refuse(State from, Refusal why) {
        if (!STATE.compareAndSet(this, from, why.state())) {
            return false;
        }
        refusal = why;
        return true;
    }

    @Nullable
    Slot slot() {
        return slot;
    }

    /** Tells the caller what was decided. */
    void tell() {
        if (slot != null) {
            caller.granted(slot);
        } else if (refusal != null) {
            caller.refused(refusal);
        }
    }

    /** Its loop no longer takes tasks, so a granted slot cannot be used: it goes back and the caller hears shed here. */
    void tellLost() {
        caller.refused(refusal == null ? Refusal.SHED : refusal);
    }
}
