package dev.ron.edge.serve;

import dev.ron.http.loop.Timeout;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends parts of a file, one step at a time: what was read lately goes by the kernel, the rest is read on a pool.
 *
 * <p>One step is under way at most, and the next waits until the caller took the last: an answer holds one piece, however
 * slow its reader, and pays for it from the room for all. Lives on the event loop of its exchange.
 *
 * <p>No wait is without an end: who gets no room, or no bytes of the file, within the write time-out is cut off. While
 * others wait, a piece is lent for half of that, which an answer that is read at 13 KiB a second keeps at the defaults; whoever waits
 * therefore sees all the room change hands twice. Only where more than twice as many wait as there are pieces, 256 to
 * 1,280 at the defaults, are some cut off unserved.
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
    private final Means by;
    private final List<Segment> segments;
    private final ResponseStream out;
    private final Consumer<RonException> onBroken;
    private final Timeout again;
    private @Nullable Timeout patience; // what is warm needs none
    private int current;
    private long sent; // of the current span
    private boolean busy; // with a piece, or waiting until there may be room for one: nothing else begins meanwhile
    private int paid; // for the piece that is read or not taken yet
    private long turn = Room.NONE; // to get room, while it waits for that
    private long pause = AGAIN;

    /** What all share who send files; {@code cutOff} counts those who waited in vain. */
    record Means(Lane lane, Room room, Duration longestWait, Meter.Count cutOff) {}

    /** Takes over the caller's reference to the file; {@code onBroken} is told on the pool. */
    FileSend(
            Exchange exchange,
            ServedFile file,
            Means by,
            List<Segment> segments,
            ResponseStream out,
            Consumer<RonException> onBroken) {
        this.exchange = exchange;
        this.file = file;
        this.by = by;
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
        if (patience != null) {
            patience.cancel();
        }
        by.room().leave(turn);
        if (!busy) {
            settle();
        }
        file.release();
    }

    private void patientFor(Duration longest) {
        Timeout timeout = patience;
        if (timeout == null) {
            timeout = new Timeout(exchange.timers()) {
                @Override
                protected void expired() {
                    waitedLong();
                }
            };
            patience = timeout;
        }
        timeout.after(longest.toNanos());
    }

    private void waitedLong() {
        if (busy || (paid > 0 && by.room().isWanted())) {
            by.cutOff().increment();
            out.abort();
        } else if (paid > 0) {
            lend(); // nobody else wants it: the pace of the connection is enough
        } else {
            pause = AGAIN; // it was the caller who had no room, so what comes next is a new wait
        }
    }

    private void lend() {
        patientFor(by.longestWait().dividedBy(2));
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
            int back = paid;
            paid = 0;
            by.room().giveBack(back);
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
        ServedFile.State state = out.takesFiles() ? file.state(at) : ServedFile.State.COLD;
        if (state == ServedFile.State.WARM) {
            long length = Math.min(left, ServedFile.WINDOW - at % ServedFile.WINDOW);
            sent += length;
            return out.writeFile(file.region(at, length));
        }
        if (state == ServedFile.State.UNSEEN) {
            read(at, 0, false); // takes no room: where there is none, what is warm goes on
            return false;
        }
        long toWindowEnd = ServedFile.WINDOW - at % ServedFile.WINDOW;
        boolean fromStart = span.first() <= at - at % ServedFile.WINDOW;
        read(at, (int) Math.min(Math.min(left, toWindowEnd), PIECE), fromStart);
        return false;
    }

    private void read(long at, int length, boolean fromStart) {
        busy = true;
        if (pause == AGAIN) {
            patientFor(by.longestWait()); // a pool that is full again and again does not begin it anew
        }
        turn = by.room().takePiece(length, () -> onLoop(() -> roomIsHere(at, length, fromStart), length));
        if (turn == Room.NONE) {
            readPaid(at, length, fromStart);
        }
    }

    /** It is this one's turn: what it asked for has been taken in its name. */
    private void roomIsHere(long at, int length, boolean fromStart) {
        turn = Room.NONE;
        if (exchange.over()) {
            by.room().giveBack(length);
        } else {
            readPaid(at, length, fromStart);
        }
    }

    private void readPaid(long at, int length, boolean fromStart) {
        paid = length;
        file.retain(); // for the pool: the caller may leave meanwhile
        Reply<ByteBuf> reply = by.lane().submit(() -> {
            ByteBuf piece = by.room().piece(length);
            try {
                file.read(at, piece.nioBuffer(0, length), fromStart);
                return piece.writerIndex(length);
            } catch (Throwable e) {
                piece.release();
                throw e;
            }
        });
        reply.whenAnswered(outcome -> {
            try {
                if (outcome instanceof Reply.Failed<ByteBuf>(RonException why)) {
                    onBroken.accept(why);
                }
            } finally { // whatever fails there: what was paid comes back
                file.release();
                if (!onLoop(() -> took(outcome), length) && outcome instanceof Reply.Done<ByteBuf>(ByteBuf piece)) {
                    piece.release();
                }
            }
        });
    }

    /** Goes on there; where the connection has ended with its loop, gives back what was paid, and says so. */
    private boolean onLoop(Runnable step, int pays) {
        try {
            exchange.loop().execute(step);
            return true;
        } catch (RejectedExecutionException _) {
            by.room().giveBack(pays);
            return false;
        }
    }

    private void took(Reply.Outcome<ByteBuf> outcome) {
        switch (outcome) {
            case Reply.Done<ByteBuf>(ByteBuf piece) -> {
                pause = AGAIN;
                sent += piece.readableBytes();
                if (!exchange.over()) {
                    lend();
                }
                out.write(piece); // still busy: room that comes within the write must not begin the next piece there
                busy = false;
                taken();
            }
            case Reply.Failed<ByteBuf>(RonException why) -> {
                settle();
                if (exchange.over()) {
                    return;
                }
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
