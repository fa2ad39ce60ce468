package dev.ron.node.demo;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;

/** What the demo application answers: plain things with known sizes, delays and statuses. */
final class DemoHandlers {
    private static final int PIECE = 64 << 10;
    private static final long MAX_BYTES = 1L << 30;
    private static final ByteBuf ZEROS = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[PIECE]));

    private final Permits slow;
    private final Clock clock;
    private final Waiters waits = new Waiters();

    DemoHandlers(Permits slow, Clock clock) {
        this.slow = slow;
        this.clock = clock;
    }

    /** The request's body, or its method and path where there is none. */
    Response echo(Request request) {
        if (request.body().length == 0) {
            return Response.text(request.method() + " " + request.path() + "\n");
        }
        return Response.bytes(
                200, request.headers().first("Content-Type").orElse("application/octet-stream"), request.body());
    }

    Response delay(Request request) {
        long millis = number(request.param("ms"), 60_000);
        pause(Duration.ofMillis(millis));
        return Response.text("waited " + millis + " ms\n");
    }

    Response status(Request request) {
        int code = (int) number(request.param("code"), 599);
        if (code < 200) {
            throw new RonException(Code.BAD_REQUEST, "status", code + " (expected: 200..599)");
        }
        return code == 204 || code == 304 ? Response.status(code) : Response.text(code, code + "\n");
    }

    /** A backend of eight workers that take 5 ms each. */
    Response slow(Request request) {
        if (!slow.acquire(request.context().deadline())) {
            throw new RonException(Code.TIMEOUT, "timeout", "no free worker before the deadline");
        }
        try {
            pause(Duration.ofMillis(5));
            return Response.text("done\n");
        } finally {
            slow.release();
        }
    }

    private void pause(Duration duration) {
        waits.await("demo", Deadline.after(clock, duration), () -> null);
    }

    /** So many zeros, as fast as the reader takes them. */
    void bytes(Exchange exchange) {
        long length = number(exchange.params().get("n"), MAX_BYTES);
        ResponseStream out = exchange.start(200, Headers.of("Content-Type", "application/octet-stream"), length);
        new ZeroPump(out, length).run();
    }

    /** Writes while there is room and goes on when there is room again. */
    private static final class ZeroPump implements Runnable {
        private final ResponseStream out;
        private long left;

        ZeroPump(ResponseStream out, long length) {
            this.out = out;
            this.left = length;
        }

        @Override
        public void run() {
            while (left > 0) {
                int size = (int) Math.min(PIECE, left);
                left -= size;
                if (!out.write(ZEROS.retainedSlice(0, size)) && left > 0) {
                    out.onWritable(this);
                    return;
                }
            }
            out.end();
        }
    }

    private static long number(String text, long max) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // said below, with the value
        }
        throw new RonException(Code.BAD_REQUEST, "number", text + " (expected: 0.." + max + ")");
    }
}
