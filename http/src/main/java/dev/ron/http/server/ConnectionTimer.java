package dev.ron.http.server;

import dev.ron.http.loop.Timeout;
import dev.ron.http.loop.TimerWheel;

/**
 * The one timer of a connection, for all its limits.
 *
 * <p>It is lazy: it is only ever moved earlier. When it goes off, the connection says what is due now and when to look
 * again, so a busy connection does not touch it at all.
 */
final class ConnectionTimer extends Timeout {
    private final Served connection;
    private final TimerWheel wheel;
    private long armedFor = Long.MAX_VALUE;

    ConnectionTimer(Served connection, TimerWheel wheel) {
        super(wheel);
        this.connection = connection;
        this.wheel = wheel;
    }

    void arm(long atNanos) {
        if (atNanos < armedFor) {
            armedFor = atNanos;
            at(atNanos);
        }
    }

    @Override
    protected void expired() {
        armedFor = Long.MAX_VALUE;
        connection.check();
        if (!connection.isOver()) {
            arm(Math.max(wheel.nanos() + 1, connection.nextMoment()));
        }
    }
}
