package dev.ron.http.server;

import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;

/** Drops the small rest of a body whose answer is out already, so that the next request can follow. */
final class RestTurn implements Turn {
    private final Connection connection;
    private final BodyFraming rest;
    private final long until;

    RestTurn(Connection connection, BodyFraming rest, long until) {
        this.connection = connection;
        this.rest = rest;
        this.until = until;
    }

    @Override
    public boolean step(ByteBuf in) {
        try {
            ByteBuf piece = rest.next(in);
            if (piece != null) {
                piece.release();
            }
        } catch (RonException bad) {
            connection.cut();
            return false;
        }
        if (rest.done()) {
            connection.nextRequest();
        }
        return true;
    }

    @Override
    public void received(boolean first, long now) {}

    @Override
    public long nextMoment(long now) {
        return until;
    }

    @Override
    public void check(long now) {
        if (now >= until) {
            connection.cut();
        }
    }

    @Override
    public void inputEnded() {
        connection.leave();
    }
}
