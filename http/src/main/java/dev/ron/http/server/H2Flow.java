package dev.ron.http.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the answers of one HTTP/2 connection is on its way: written, and not yet taken by the socket.
 *
 * <p>Netty's own measure of room is the caller's window, which may be two gigabytes wide, and falls only when bytes are
 * flushed; what it lets in is counted nowhere. So a connection has the room that a connection of HTTP/1 has. Beyond it a
 * stream that has nothing on its way may still write, so that one whose caller does not take it holds up no other; that,
 * as long as all connections together stay within the budget.
 */
final class H2Flow {
    private static final long FULL = 64 << 10;
    private static final long ROOM_AGAIN = FULL / 2;

    private final AtomicLong ofAll;
    private final long budget;
    private final Runnable roomAgain;
    private long unsent;
    private long sent;
    private boolean refused;

    /** @param roomAgain called within a write, when a stream was refused and there is room now */
    H2Flow(AtomicLong ofAll, long budget, Runnable roomAgain) {
        this.ofAll = ofAll;
        this.budget = budget;
        this.roomAgain = roomAgain;
    }

    void queued(int bytes) {
        unsent += bytes;
        ofAll.addAndGet(bytes);
    }

    void sent(int bytes) {
        unsent -= bytes;
        sent += bytes;
        ofAll.addAndGet(-bytes);
        if (refused && unsent <= ROOM_AGAIN) {
            refused = false;
            roomAgain.run();
        }
    }

    /** @param ofStream what the stream that asks has on its way */
    boolean hasRoom(long ofStream) {
        boolean room = unsent < FULL || (ofStream == 0 && ofAll.get() < budget);
        refused |= !room;
        return room;
    }

    /** All that ever left. */
    long sent() {
        return sent;
    }
}
