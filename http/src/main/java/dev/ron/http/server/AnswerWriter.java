package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.kernel.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import java.nio.charset.StandardCharsets;

/** Puts the answers of one connection on the wire, and knows whether the caller takes them fast enough. */
final class AnswerWriter {
    static final long NEVER = Long.MAX_VALUE;

    private static final ByteBuf CONTINUE = constant("HTTP/1.1 100 Continue\r\n\r\n");
    private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");
    private static final ByteBuf CRLF = constant("\r\n");
    private static final byte[] NO_BYTES = new byte[0];

    private final Channel channel;
    private final HeadEncoder encoder;
    private final HostConfig.Timeouts limits;
    private final Clock clock;
    private boolean chunked;
    private boolean flushDue;
    private boolean fileDue;
    private long queuedBytes;
    private long checkAt = NEVER;
    private long writtenAtCheck;

    AnswerWriter(Channel channel, HeadEncoder encoder, HostConfig.Timeouts limits, Clock clock) {
        this.channel = channel;
        this.encoder = encoder;
        this.limits = limits;
        this.clock = clock;
    }

    private static ByteBuf constant(String text) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer()
                .writeBytes(text.getBytes(StandardCharsets.US_ASCII))
                .asReadOnly());
    }

    /** A whole answer; a short body goes out in one buffer with its head. */
    void whole(int status, CorrId corrId, Headers headers, byte[] body, boolean silent, boolean close, long now) {
        boolean bare = status == 204 || status == HeadEncoder.NOT_MODIFIED;
        encoder.begin(status, corrId, now);
        encoder.end(bare ? HeadEncoder.NO_BODY : body.length, close, headers);
        byte[] sent = bare || silent ? NO_BYTES : body;
        boolean together = encoder.tryAppendBody(sent);
        write(encoder.toBuffer(channel.alloc()));
        if (!together) {
            write(Unpooled.wrappedBuffer(sent));
        }
        flushDue = true;
    }

    /** The head of an answer whose body comes in pieces. */
    void head(int status, CorrId corrId, Headers headers, long length, boolean close, long now) {
        chunked = length == HeadEncoder.CHUNKED_BODY;
        encoder.begin(status, corrId, now);
        encoder.end(length, close, headers);
        write(encoder.toBuffer(channel.alloc()));
        flushDue = true;
    }

    void piece(ByteBuf piece) {
        if (chunked) {
            String size = Integer.toHexString(piece.readableBytes());
            ByteBuf line = channel.alloc().directBuffer(size.length() + 2);
            line.writeCharSequence(size, StandardCharsets.US_ASCII);
            write(line.writeShort('\r' << 8 | '\n'));
            write(piece);
            write(CRLF.duplicate());
        } else {
            write(piece);
        }
        flushDue = true;
    }

    void file(DefaultFileRegion part) {
        queuedBytes += part.count();
        channel.write(part, channel.voidPromise());
        flushDue = true;
        fileDue = true;
    }

    void end(boolean silent, Headers trailers) {
        if (chunked && !silent) {
            write(trailers.size() == 0 ? LAST_CHUNK.duplicate() : encoder.lastChunk(trailers, channel.alloc()));
            flushDue = true;
        }
    }

    void interim(int status, Headers headers) {
        encoder.interim(status, headers);
        write(encoder.toBuffer(channel.alloc()));
        flushDue = true;
    }

    void sayContinue() {
        write(CONTINUE.duplicate());
        flushDue = true;
    }

    private void write(ByteBuf out) {
        queuedBytes += out.readableBytes();
        channel.write(out, channel.voidPromise());
    }

    boolean flushDue() {
        return flushDue;
    }

    void flush() {
        flushDue = false;
        if (fileDue && channel instanceof EpollSocketChannel socket) {
            flushTogether(socket);
        } else {
            channel.flush();
        }
        fileDue = false;
        watch();
    }

    // A head that goes ahead of its file is acknowledged at once, and the caller's kernel takes that short moment for
    // the round trip: its window stays small, and every answer waits for it again and again. So both leave as one
    // train.
    private static void flushTogether(EpollSocketChannel socket) {
        try {
            socket.config().setTcpCork(true);
            socket.flush();
            socket.config().setTcpCork(false);
        } catch (ChannelException _) {
            socket.close(); // reset by its peer between two calls
        }
    }

    /** Flushes for the last time; the future tells when all is out. */
    ChannelFuture flushLast() {
        flushDue = false;
        ChannelFuture flushed = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        watch();
        return flushed;
    }

    // Progress: while anything waits, what was taken is compared every write timeout, counted from when it began to
    // wait, however long ago the request came.

    private void watch() {
        if (checkAt == NEVER && pending() > 0) {
            checkAgain(clock.nanos());
        }
    }

    private void checkAgain(long now) {
        writtenAtCheck = written();
        checkAt = now + limits.write().toNanos();
    }

    /** When {@link #fastEnough} is to be asked; {@link #NEVER} while nothing waits. */
    long checkAt() {
        return checkAt;
    }

    /** Whether the caller took enough since the last check; nothing left to take is enough. */
    boolean fastEnough(long now) {
        if (pending() == 0) {
            checkAt = NEVER;
            return true;
        }
        long demanded = limits.minBytesPerSecond() * limits.write().toMillis() / 1000;
        if (written() - writtenAtCheck < Math.max(1, demanded)) {
            return false;
        }
        checkAgain(now);
        return true;
    }

    /** Bytes that were written but not taken yet. */
    long pending() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return queue == null ? 0 : queue.totalPendingWriteBytes();
    }

    private long written() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return queue == null ? queuedBytes : queuedBytes - queue.totalPendingWriteBytes() + queue.currentProgress();
    }
}
