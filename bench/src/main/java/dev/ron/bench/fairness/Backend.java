package dev.ron.bench.fairness;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.BodySink;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.ResponseStream;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service of eight workers that take 5 ms each, first come first served: what both sides of the comparison protect.
 *
 * <p>A worker is held like a thread would be: from the head of the request, through its body, to the last byte taken.
 */
final class Backend implements AutoCloseable {
    static final int WORKERS = 8;
    private static final int LARGE = 4 << 20;
    private static final int PIECE = 64 << 10;
    private static final ByteBuf ZEROS = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[PIECE]));
    private static final Response DONE = Response.text("done");

    private final HttpHost host;
    private final ArrayDeque<Runnable> line = new ArrayDeque<>(); // the one loop's own, like the count
    private final AtomicInteger busy = new AtomicInteger();

    /** The loops must be one: the workers are counted on it. */
    Backend(EventLoops one, int port) {
        HostParts parts = HostParts.of("backend", 8192);
        Kernel kernel = new Kernel(
                Topology.of("backend", "What is protected.", parts.request(), parts.decode()),
                Clock.system(),
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        HostConfig config = HostConfig.DEFAULTS
                .withConns(8192, 8192)
                .withRequestTimeout(Duration.ofSeconds(60))
                .withTimeouts(new HostConfig.Timeouts(
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(2),
                        0,
                        Duration.ofSeconds(60)));
        Routes routes = new Routes(config)
                .add(List.of("GET", "POST"), "/slow", onLoop(this::slow))
                .get("/five", onLoop(exchange -> work(exchange, () -> answerAfter(exchange, 5_000))))
                .get("/large", onLoop(exchange -> work(exchange, () -> large(exchange))))
                .get("/events", onLoop(Backend::events))
                .get("/fast", onLoop(exchange -> exchange.respond(DONE)));
        this.host = HttpHost.builder(kernel, one, parts).config(config).bind("127.0.0.1", port, routes.build());
    }

    private static StreamHandler onLoop(StreamHandler handler) {
        return handler;
    }

    private void work(Exchange exchange, Runnable job) {
        Runnable begin = () -> {
            // Whoever left gives the worker back here, everybody else when the exchange is over, however it ends.
            if (exchange.over()) {
                free();
            } else {
                exchange.onOver(this::free);
                job.run();
            }
        };
        if (busy.get() < WORKERS) {
            busy.incrementAndGet();
            begin.run();
        } else {
            line.add(begin);
        }
    }

    /** Whether no worker has anything to do any more. */
    boolean idle() {
        return busy.get() == 0;
    }

    private void free() {
        Runnable next = line.poll();
        if (next == null) {
            busy.decrementAndGet();
        } else {
            next.run();
        }
    }

    private void slow(Exchange exchange) {
        if (exchange.method().equals("GET")) {
            work(exchange, () -> answerAfter(exchange, 5));
            return;
        }
        work(
                exchange,
                () -> exchange.receive(new BodySink() {
                    @Override
                    public void piece(ByteBuf piece) {
                        piece.release();
                    }

                    @Override
                    public void end() {
                        answerAfter(exchange, 5);
                    }

                    @Override
                    public void broken(RonException why) {
                        // The exchange is over with it.
                    }
                }));
    }

    private static void answerAfter(Exchange exchange, long millis) {
        exchange.loop()
                .schedule(
                        () -> {
                            if (!exchange.over()) {
                                exchange.respond(DONE);
                            }
                        },
                        millis,
                        TimeUnit.MILLISECONDS);
    }

    private static void large(Exchange exchange) {
        ResponseStream out = exchange.start(200, Headers.of("Content-Type", "application/octet-stream"), LARGE);
        new Runnable() {
            private int left = LARGE;

            @Override
            public void run() {
                while (left > 0) {
                    left -= PIECE;
                    if (!out.write(ZEROS.retainedSlice(0, PIECE)) && left > 0) {
                        out.onWritable(this);
                        return;
                    }
                }
                out.end();
            }
        }.run();
    }

    private static void events(Exchange exchange) {
        ResponseStream out = exchange.start(200, Headers.of("Content-Type", "text/event-stream"));
        exchange.untilDrained(out::end);
        beat(exchange, out);
    }

    private static void beat(Exchange exchange, ResponseStream out) {
        if (!exchange.over()) {
            out.write(Unpooled.copiedBuffer("data: 1\n\n", java.nio.charset.StandardCharsets.US_ASCII));
            exchange.loop().schedule(() -> beat(exchange, out), 1, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        host.close();
    }
}
