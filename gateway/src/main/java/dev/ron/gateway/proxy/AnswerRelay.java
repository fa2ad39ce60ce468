package dev.ron.gateway.proxy;

import dev.ron.gateway.coding.CompressedStream;
import dev.ron.gateway.coding.Compression;
import dev.ron.gateway.tenant.BufferBudget;
import dev.ron.http.client.stream.Pausable;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Passes a response on to the caller as it comes.
 *
 * <p>What a slow caller does not take yet is kept here, up to a bound, so that the upstream can finish and is free for
 * others; only beyond that is the upstream slowed down. With what the connection itself buffers it is at most 256 KiB.
 *
 * <p>What is kept for all callers together has a bound too. Where nothing is left of it the upstream is slowed down at
 * once and does not count as free before its answer is out, so that many slow callers cost their own pace and no memory.
 * One tenant gets no more than a quarter, or its slow callers would cost those of others their pace.
 */
final class AnswerRelay implements Runnable {
    static final int MOST_HELD = 128 << 10;
    private static final int GO_ON_BELOW = 32 << 10;
    private static final int SMALL = 4 << 10; // sent in one buffer with its head
    private static final byte[] NO_BYTES = new byte[0];
    private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    private final Exchange exchange;
    private final Pausable call;
    private final Watch watch;
    private final Room room;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(4);
    private int heldBytes;
    private int paidBytes; // of these, what was taken from the room for all
    private boolean paused;
    private boolean ended;
    private Headers trailers = Headers.NONE;
    private long taken;
    private @Nullable ResponseStream out;
    private @Nullable CompressedStream compressing;
    // A whole answer, sent when the upstream is done: its connection is then free for the caller's next request.
    private int status;
    private Headers headers = Headers.NONE;
    private byte[] body = NO_BYTES;

    /** Who hears what becomes of the upstream. */
    interface Watch {
        /** The caller begins to hold it up. */
        void paused();

        /** Others may have it; more than once. */
        void free();
    }

    /** What may be held for all callers together, and a part of it for those of one tenant. */
    record Room(BufferBudget all, BufferBudget ofTenant, long limit) {
        private static final int TENANTS = 4; // that fill it

        boolean tryTake(int bytes) {
            if (!ofTenant.tryTake(bytes, limit / TENANTS)) {
                return false;
            }
            if (!all.tryTake(bytes, limit)) {
                ofTenant.giveBack(bytes);
                return false;
            }
            return true;
        }

        void giveBack(int bytes) {
            all.giveBack(bytes);
            ofTenant.giveBack(bytes);
        }
    }

    AnswerRelay(Exchange exchange, Pausable call, Watch watch, Room room) {
        this.exchange = exchange;
        this.call = call;
        this.watch = watch;
        this.room = room;
    }

    void begin(ResponseHead head, Compression.Plan plan) {
        Headers fields = plan.fields();
        if (plan.compresses()) {
            ResponseStream bare = exchange.start(head.status(), fields);
            compressing = plan.wrap(bare, exchange, ALLOCATOR).orElseThrow();
            compressing.onWritable(this);
            out = compressing;
            return;
        }
        boolean bare = head.status() == 204 || head.status() == 304;
        long length = head.length();
        boolean small = !head.bodyless() && length >= 0 && length <= SMALL && head.atHand() >= length;
        if (bare || small) {
            status = head.status();
            headers = fields;
            return;
        }
        // Also the answer to a HEAD: its length is that of the body which would have come.
        ResponseStream stream =
                length >= 0 ? exchange.start(head.status(), fields, length) : exchange.start(head.status(), fields);
        stream.onWritable(this);
        out = stream;
    }

    void piece(ByteBuf piece) {
        ResponseStream stream = out;
        if (stream == null) {
            body = new byte[piece.readableBytes()];
            piece.readBytes(body);
            piece.release();
        } else if (held.isEmpty() && stream.writable()) {
            stream.write(piece);
        } else {
            hold(piece);
        }
    }

    private void hold(ByteBuf piece) {
        int size = piece.readableBytes();
        held.add(piece);
        heldBytes += size;
        if (room.tryTake(size)) {
            paidBytes += size;
        }
        if ((heldBytes >= MOST_HELD || unpaid()) && !paused) {
            paused = true;
            call.pause();
            watch.paused();
        }
    }

    private boolean unpaid() {
        return heldBytes > paidBytes;
    }

    /** Gives back what is paid for and no longer held. */
    private void settle() {
        if (paidBytes > heldBytes) {
            room.giveBack(paidBytes - heldBytes);
            paidBytes = heldBytes;
        }
    }

    /** There is room again on the caller's side. */
    @Override
    public void run() {
        ResponseStream stream = out;
        if (stream == null) {
            return;
        }
        while (!held.isEmpty() && stream.writable()) {
            ByteBuf next = held.poll();
            heldBytes -= next.readableBytes();
            taken += next.readableBytes();
            stream.write(next);
        }
        settle();
        // Once the upstream is done, nothing is left to go on: the caller keeps its pace until all is out.
        if (paused && !ended && heldBytes <= GO_ON_BELOW && !unpaid()) {
            paused = false;
            call.resume();
        }
        endIfAllIsOut();
    }

    /** The upstream has sent all. */
    void end(Headers after) {
        trailers = after;
        if (!unpaid()) {
            watch.free();
        }
        if (out == null) {
            exchange.respond(Response.of(status, headers, body));
        } else {
            ended = true;
            endIfAllIsOut();
        }
    }

    private void endIfAllIsOut() {
        ResponseStream stream = out;
        if (ended && held.isEmpty() && stream != null) {
            out = null;
            watch.free();
            stream.end(trailers);
        }
    }

    /** The rest will not come; the caller must not take what it has for whole. */
    void broken(RonException why) {
        ResponseStream stream = out;
        if (stream == null) {
            exchange.fail(why);
        } else {
            stream.abort();
        }
    }

    /** Whether the caller holds the upstream up. */
    boolean paused() {
        return paused && (compressing == null || compressing.callerIsFull());
    }

    /** Bytes that were held for the caller and that it has taken. */
    long taken() {
        return taken;
    }

    /** The exchange is over. */
    void release() {
        held.forEach(ByteBuf::release);
        held.clear();
        heldBytes = 0;
        settle();
        if (compressing != null) {
            compressing.close();
        }
    }
}
