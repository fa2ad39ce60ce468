package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.OpenStreams;
import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.coding.Compression;
import dev.ron.gateway.stream.Tunnel;
import dev.ron.gateway.stream.Upgrades;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one request on its way out: one with an end, a stream of events, or another protocol.
 *
 * <p>What has no end of its own gives its slot back and holds a stream's permit instead; it ends when the gateway or its
 * token does.
 */
final class Outlet implements OpenStreams.Stream, AnswerRelay.Watch {
    private final Visit visit;
    private final Exchange exchange;
    private final Turn turn;
    private final Runnable onPause;
    private boolean streaming;
    private Headers head = Headers.NONE;
    private @Nullable StreamCall from;
    private @Nullable AnswerRelay answer;
    private @Nullable Tunnel tunnel;

    /** @param onPause hears when the caller begins to hold the upstream up */
    Outlet(Visit visit, Turn turn, Runnable onPause) {
        this.visit = visit;
        this.exchange = visit.exchange();
        this.turn = turn;
        this.onPause = onPause;
    }

    @Override
    public Pass pass() {
        return visit.pass();
    }

    /** Begins the answer; false when it is a stream and there is no permit for one: nothing was answered then. */
    boolean begin(ResponseHead begun, StreamCall call) {
        from = call;
        head = begun.headers();
        if (isStream(begun)) {
            if (!turn.becomeStream()) {
                return false;
            }
            call.leavePool();
            opened();
        }
        ProxyParts parts = visit.parts();
        Headers fields = parts.responseFields().make(head, visit.standing());
        Compression.Plan plan = streaming
                ? Compression.Plan.plain(fields)
                : parts.compression().plan(visit.account().key(), exchange.headers(), begun, fields);
        AnswerRelay relay = new AnswerRelay(exchange, call, this, parts.answerRoom(visit.account()));
        answer = relay;
        relay.begin(begun, plan);
        if (streaming) {
            exchange.untilDrained(this::endStream); // which is now where the drain has begun: the answer must be known
        }
        return true;
    }

    private static boolean isStream(ResponseHead head) {
        int at = head.headers().indexOf("Content-Type", 0);
        return at >= 0 && head.length() < 0 && head.headers().value(at).startsWith("text/event-stream");
    }

    private void opened() {
        streaming = true;
        visit.shared().streams().opened(this);
    }

    private void endStream() {
        abortCall();
        end(Headers.NONE);
    }

    private void abortCall() {
        if (from != null) {
            from.abort();
        }
    }

    /** The upstream has changed the protocol: from here on bytes pass both ways. False when there is no permit for it. */
    boolean change(Headers headers, Channel channel, ByteBuf early) {
        if (exchange.over() || !turn.becomeStream()) {
            early.release();
            channel.close();
            return false;
        }
        opened();
        Headers fields = Upgrades.agreeing(visit.parts().responseFields().make(headers, visit.standing()));
        Tunnel.Patience patience = new Tunnel.Patience(
                visit.route().streamIdle(), visit.parts().config().writeTimeout());
        tunnel = Tunnel.open(exchange, fields, channel, early, patience, turn::release);
        return true;
    }

    void inform(int status, Headers headers) {
        exchange.inform(status, visit.parts().responseFields().informing(headers));
    }

    void piece(ByteBuf piece) {
        AnswerRelay relay = answer;
        if (relay == null) {
            piece.release();
        } else {
            relay.piece(piece);
        }
    }

    /** The upstream is done. */
    void end(Headers trailers) {
        if (answer == null) {
            free();
        } else {
            answer.end(visit.parts().responseFields().trailers(head, trailers));
        }
    }

    @Override
    public void paused() {
        onPause.run();
    }

    @Override
    public void free() {
        turn.release();
    }

    boolean begun() {
        return answer != null;
    }

    /** What has begun cannot be made whole. */
    void broken(RonException why) {
        abortCall();
        turn.release();
        if (answer != null) {
            answer.broken(why);
        }
    }

    @Override
    public void cut() {
        exchange.loop().execute(() -> {
            if (tunnel != null) {
                tunnel.cut();
            } else if (!exchange.over()) {
                broken(new RonException(Code.UNAUTHENTICATED, "revoked", "the token is no longer good"));
            }
        });
    }

    /** Whether it has no end of its own. */
    boolean streaming() {
        return streaming;
    }

    /** Whether the upstream waits for the caller. */
    boolean callerIsSlow() {
        return answer != null && answer.paused();
    }

    /** Bytes that were held for the caller and that it has taken. */
    long taken() {
        return answer == null ? 0 : answer.taken();
    }

    void over() {
        if (answer != null) {
            answer.release();
        }
        if (tunnel != null) {
            tunnel.cut();
        }
        if (streaming) {
            visit.shared().streams().closed(this);
        }
    }
}
