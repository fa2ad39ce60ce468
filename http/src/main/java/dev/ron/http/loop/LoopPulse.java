package dev.ron.http.loop;

import dev.ron.kernel.time.Clock;

/** The one repeated task of a loop: it measures the lag and turns the wheel. */
final class LoopPulse implements Runnable {
    private final String name;
    private final Clock clock;
    private final long periodNanos;
    private final TimerWheel wheel;
    // Written by the loop only, read by anyone: how late the last tick was, when the next is due, the worst so far.
    private volatile long lag;
    private volatile long dueNanos;
    private volatile long worst;

    LoopPulse(String name, Clock clock, long periodNanos) {
        this.name = name;
        this.clock = clock;
        this.periodNanos = periodNanos;
        this.wheel = new TimerWheel(clock, periodNanos);
        this.dueNanos = clock.nanos() + periodNanos;
    }

    TimerWheel wheel() {
        return wheel;
    }

    @Override
    public void run() {
        long now = clock.nanos();
        long late = Math.max(0, now - dueNanos);
        lag = late;
        worst = Math.max(worst, late);
        dueNanos = now + periodNanos;
        wheel.advance();
    }

    /** A stuck loop cannot report itself: what is overdue now counts as well as what the last tick said. */
    LoopLag snapshot() {
        long overdue = clock.nanos() - dueNanos;
        long now = Math.max(lag, overdue);
        return new LoopLag(name, now, Math.max(worst, now));
    }
}
