package dev.ron.http.server;

import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;

/** Waits for the next request: the connection may idle for a while, but a head that has begun must come soon. */
final class HeadTurn implements Turn {
    private final Connection connection;
    private final HeadParser parser;
    private final HostConfig config;
    private long since; // when idling or the head began
    private boolean begun;
    private int scanned; // bytes of an incomplete head in which no line ends

    HeadTurn(Connection connection, HeadParser parser, HostConfig config) {
        this.connection = connection;
        this.parser = parser;
        this.config = config;
    }

    /** Starts over with the next request, of which some may have been read already. */
    void restart(boolean somethingRead, long now) {
        since = now;
        begun = somethingRead;
        scanned = 0;
    }

    @Override
    public void received(boolean first, long now) {
        if (first) {
            since = now;
            begun = true;
        }
    }

    boolean idle() {
        return !begun;
    }

    long since() {
        return since;
    }

    @Override
    public boolean step(ByteBuf in) {
        // A caller that does not take its answers is not asked for more.
        if (!connection.writable() || (scanned > 0 && noLineEnd(in))) {
            return false;
        }
        ParsedHead head;
        try {
            if (parser.parseHead(in) == HeadParser.Outcome.INCOMPLETE) {
                scanned = in.readableBytes();
                connection.wakeAt(nextMoment(since));
                return false;
            }
            in.skipBytes(parser.consumed());
            head = parser.head();
        } catch (RonException bad) {
            connection.refuseBytes(bad, since);
            return false;
        }
        connection.begin(head);
        return true;
    }

    /** A head that comes byte by byte is looked at again only when a line ends, or when it may have become too long. */
    private boolean noLineEnd(ByteBuf in) {
        boolean none = in.readableBytes() < config.head().maxLineBytes()
                && in.indexOf(in.readerIndex() + scanned, in.writerIndex(), (byte) '\n') < 0;
        scanned = none ? in.readableBytes() : scanned;
        return none;
    }

    @Override
    public long nextMoment(long now) {
        HostConfig.Timeouts limits = config.timeouts();
        return since + (begun ? limits.read() : limits.idle()).toNanos();
    }

    @Override
    public void check(long now) {
        if (now < nextMoment(now)) {
            return;
        }
        if (!begun) {
            connection.leave();
        } else if (connection.writable()) {
            connection.refuseBytes(Refusal.SLOW_HEAD.exception(), since);
        }
    }

    @Override
    public void inputEnded() {
        connection.leave();
    }
}
