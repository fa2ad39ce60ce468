package dev.ron.edge.serve;

import dev.ron.http.loop.Timeout;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Sends parts of a file, one step at a time: what was read lately goes by the kernel, the rest is read on a pool.
 *
 * <p>One step is under way at most, and the next waits until the caller took the last: an answer holds one piece, however
 * slow its reader, and pays for it from the room for all. Lives on the event loop of its exchange.
 */
final class FileSend {
    static final int PIECE = 64 << 10;
    private static final long AGAIN = Duration.ofMillis(10).toNanos();
    private static final long AGAIN_MOST = Duration.ofMillis(200).toNanos();

    /** Something to send: a text that stands between parts, or a span of the file. */
    sealed interface Segment {
        record Text(String latin1) implements Segment {}

        record Span(long first, long length) implements Segment {}
    }

    private final Exchange exchange;
    private final ServedFile file;
    private final Lane lane;
    private final Room room;
    private final List<Segment> segments;
    private final ResponseStream out;
    private final Consumer<RonException> onBroken;
    private final Timeout again;
    private int current;
    private long sent; // of the current span
    private boolean busy; // with a piece, or waiting until there may be room for one: nothing else begins meanwhile
    private int paid; // for the piece that is read or not taken yet
    private long pause = AGAIN;

    /** Takes over the caller's reference to the file; {@code onBroken} is told on the pool. */
    FileSend(
            Exchange exchange,
            ServedFile file,
            Lane lane,
            Room room,
            List<Segment> segments,
            ResponseStream out,
            Consumer<RonException> onBroken) {
        this.exchange = exchange;
        this.file = file;
        this.lane = lane;
        this.room = room;
        this.segments = segments;
        this.out = out;
        this.onBroken = onBroken;
        this.again = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                busy = false;
                taken();
            }
        };
    }

    void start() {
        exchange.onOver(this::over);
        out.onWritable(this::taken);
        go();
    }

    private void over() {
        again.cancel();
        if (!busy) {
            settle();
        }
        file.release();
    }

    /** Goes on, if the caller has room: it is told of room for others, too. */
    private void taken() {
        if (!busy && out.writable()) {
            settle();
            go();
        }
    }

    /** The piece is no longer held here. */
    private void settle() {
        if (paid > 0) {
            room.giveBack(paid);
            paid = 0;
        }
    }

    private void go() {
        while (!busy && !exchange.over()) {
            if (current == segments.size()) {
                out.end();
                return;
            }
            boolean more = switch (segments.get(current)) {
                case Segment.Text(String latin1) -> {
                    current++;
                    yield out.write(Unpooled.copiedBuffer(latin1, StandardCharsets.ISO_8859_1));
                }
                case Segment.Span span -> step(span);
            };
            if (!more) {
                return;
            }
        }
    }

    private boolean step(Segment.Span span) {
        long at = span.first() + sent;
        long left = span.length() - sent;
        if (left == 0) {
            current++;
            sent = 0;
            return true;
        }
        if (out.takesFiles() && file.isWarm(at)) {
            long length = Math.min(left, ServedFile.WINDOW - at % ServedFile.WINDOW);
            sent += length;
            return out.writeFile(file.region(at, length));
        }
        long toWindowEnd = ServedFile.WINDOW - at % ServedFile.WINDOW;
        boolean fromStart = span.first() <= at - at % ServedFile.WINDOW;
        read(at, (int) Math.min(Math.min(left, toWindowEnd), PIECE), fromStart);
        return false;
    }

    private void read(long at, int length, boolean fromStart) {
        busy = true;
        if (!room.tryTakePiece(length)) {
            again();
            return;
        }
        paid = length;
        file.retain(); // for the pool: the caller may leave meanwhile
        Reply<ByteBuf> reply = lane.submit(() -> {
            ByteBuf piece = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
            try {
                file.read(at, piece.nioBuffer(0, length), fromStart);
                return piece.writerIndex(length);
            } catch (Throwable e) {
                piece.release();
                throw e;
            }
        });
        reply.whenAnswered(outcome -> {
            file.release();
            if (outcome instanceof Reply.Failed<ByteBuf>(RonException why)) {
                onBroken.accept(why);
            }
            try {
                exchange.loop().execute(() -> took(outcome));
            } catch (RejectedExecutionException _) {
                room.giveBack(length);
                if (outcome instanceof Reply.Done<ByteBuf>(ByteBuf piece)) {
                    piece.release(); // the connection has ended with its loop
                }
            }
        });
    }

    private void took(Reply.Outcome<ByteBuf> outcome) {
        switch (outcome) {
            case Reply.Done<ByteBuf>(ByteBuf piece) -> {
                pause = AGAIN;
                sent += piece.readableBytes();
                out.write(piece); // still busy: room that comes within the write must not begin the next piece there
                busy = false;
                taken();
            }
            case Reply.Failed<ByteBuf>(RonException why) -> {
                settle();
                if (why.code() == Code.BUSY) {
                    again();
                } else {
                    out.abort(); // the head has gone out with a length: a cut tells the reader the truth
                }
            }
        }
    }

    /** Later, and each time in vain later still: thousands may wait. */
    private void again() {
        again.after(pause);
        pause = Math.min(2 * pause, AGAIN_MOST);
    }
}
