package dev.ron.http.loop;

import dev.ron.kernel.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coarse timers of one event loop: never early, at most one tick late; touched only on that loop. */
public final class TimerWheel {
    private static final Logger LOG = LoggerFactory.getLogger(TimerWheel.class);
    private static final int SLOTS = 1024; // a power of two

    private final Clock clock;
    private final long tickNanos;
    private final @Nullable Timeout[] slots = new Timeout[SLOTS];
    private long lastTick; // every tick up to this one has been worked off
    private int size;

    TimerWheel(Clock clock, long tickNanos) {
        this.clock = clock;
        this.tickNanos = tickNanos;
        this.lastTick = clock.nanos() / tickNanos;
    }

    /** The clock of the timeouts. */
    public long nanos() {
        return clock.nanos();
    }

    int size() {
        return size;
    }

    /** Puts an entry where it is found in time; an entry that already sits earlier stays and moves on when it is met. */
    void moved(Timeout timeout) {
        long tick = tickAfter(timeout.due());
        if (timeout.slotTick <= tick) {
            return;
        }
        remove(timeout);
        timeout.slotTick = tick;
        int slot = (int) (tick & (SLOTS - 1));
        Timeout head = slots[slot];
        timeout.next = head;
        if (head != null) {
            head.previous = timeout;
        }
        slots[slot] = timeout;
        size++;
    }

    /** The first tick at which the moment has passed, within one turn of the wheel: later ones are met and moved on. */
    private long tickAfter(long due) {
        long tick = due / tickNanos + (due % tickNanos == 0 ? 0 : 1);
        return Math.clamp(tick, lastTick + 1, lastTick + SLOTS - 1);
    }

    void remove(Timeout timeout) {
        if (timeout.slotTick == Timeout.OFF) {
            return;
        }
        if (timeout.next != null) {
            timeout.next.previous = timeout.previous;
        }
        if (timeout.previous != null) {
            timeout.previous.next = timeout.next;
        } else {
            slots[(int) (timeout.slotTick & (SLOTS - 1))] = timeout.next;
        }
        timeout.previous = null;
        timeout.next = null;
        timeout.slotTick = Timeout.OFF;
        size--;
    }

    /** Works off every tick that has passed. */
    void advance() {
        long now = clock.nanos();
        long target = now / tickNanos;
        // After a long stall one turn covers every slot.
        long from = Math.max(lastTick + 1, target - SLOTS + 1);
        for (long tick = from; tick <= target; tick++) {
            lastTick = Math.max(lastTick, tick);
            workOff((int) (tick & (SLOTS - 1)), now);
        }
    }

    /** A failing timeout must not take the loop's other timers with it. */
    private static void fire(Timeout timeout) {
        try {
            timeout.expired();
        } catch (RuntimeException e) {
            LOG.error("timeout {} failed", timeout.getClass().getName(), e);
        }
    }

    private void workOff(int slot, long now) {
        Timeout timeout = slots[slot];
        while (timeout != null) {
            remove(timeout);
            if (timeout.due() <= now) {
                timeout.off();
                fire(timeout);
            } else if (timeout.due() != Timeout.OFF) {
                moved(timeout);
            }
            timeout = slots[slot];
        }
    }
}
