package dev.ron.http.loop;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens on a loop if a moment passes: one object per connection or exchange, set again and again.
 *
 * <p>Moving the moment later is a single field write; the entry is moved only when its old slot comes up. So a busy
 * keep-alive connection that re-arms with every request costs the wheel nothing. All methods belong to the wheel's loop.
 */
public abstract class Timeout {
    static final long OFF = Long.MAX_VALUE;

    private final TimerWheel wheel;
    private long due = OFF;
    // The links of the slot's list; slotTick is the tick at which the wheel looks at this entry, OFF if it is in no
    // list.
    long slotTick = OFF;

    @Nullable
    Timeout previous;

    @Nullable
    Timeout next;

    protected Timeout(TimerWheel wheel) {
        this.wheel = wheel;
    }

    /** Called on the loop once the moment has passed, never before it; the timeout is off then. */
    protected abstract void expired();

    /** Sets or moves the moment, in the wheel's nanoseconds. */
    public final void at(long nanos) {
        due = nanos;
        wheel.moved(this);
    }

    /** Sets or moves the moment to a while from now. */
    public final void after(long nanos) {
        at(wheel.nanos() + nanos);
    }

    /** Nothing happens any more; the entry leaves the wheel when its slot comes up. */
    public final void off() {
        due = OFF;
    }

    /** Leaves the wheel at once, so that it holds on to nothing: for the end of a connection. */
    public final void cancel() {
        due = OFF;
        wheel.remove(this);
    }

    final long due() {
        return due;
    }
}
