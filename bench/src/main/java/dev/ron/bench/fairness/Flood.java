package dev.ron.bench.fairness;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Many connections that send as much as they can, or hold as much as they can; until closed. */
final class Flood implements AutoCloseable {
    /** What a connection of the flood does. */
    enum Kind {
        /** The next request as soon as the last is answered. */
        PLAIN("plain", "GET", "/slow"),
        SLOW_BODIES("slow bodies", "POST", "/slow"),
        SLOW_READERS("slow readers", "GET", "/large"),
        STREAMS("event streams", "GET", "/events"),
        LONG_CALLS("5 s calls", "GET", "/five"),
        FRESH_TOKENS("fresh tokens", "GET", "/slow"),
        /** No work at all: for the cost of the proxy itself. */
        FAST("fast", "GET", "/fast");

        private final String words;
        private final String method;
        private final String path;

        Kind(String words, String method, String path) {
            this.words = words;
            this.method = method;
            this.path = path;
        }

        String words() {
            return words;
        }
    }

    private static final int BODY = 20_000;

    private final Kind kind;
    private final Class<? extends Channel> type;
    private final EventLoop loop;
    private final int port;
    private final Supplier<String> fields;
    private final List<Wire> wires = new ArrayList<>();
    private final AtomicLong good = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean stopped;

    Flood(Kind kind, Class<? extends Channel> type, EventLoop loop, int port, Supplier<String> fields) {
        this.kind = kind;
        this.type = type;
        this.loop = loop;
        this.port = port;
        this.fields = fields;
    }

    Flood start(int connections) {
        loop.execute(() -> {
            for (int i = 0; i < connections; i++) {
                begin();
            }
        });
        return this;
    }

    long good() {
        return good.get();
    }

    long refused() {
        return refused.get();
    }

    private void begin() {
        if (stopped) {
            return;
        }
        Wire wire = Wire.open(type, loop, port);
        wires.add(wire);
        next(wire);
    }

    private void next(Wire wire) {
        String more = kind == Kind.SLOW_BODIES ? "Content-Length: " + BODY + "\r\n" : "";
        byte[] request =
                Wire.ascii(kind.method + " " + kind.path + " HTTP/1.1\r\nHost: h\r\n" + fields.get() + more + "\r\n");
        wire.send(request, status -> answered(wire, status));
        switch (kind) {
            case SLOW_BODIES -> drip(wire, 0);
            case SLOW_READERS -> {
                wire.readOnDemand();
                sip(wire);
            }
            default -> {}
        }
    }

    private void answered(Wire wire, int status) {
        (status == 200 ? good : refused).incrementAndGet();
        if (stopped) {
            return;
        }
        if (status == Wire.LOST || !wire.open() || kind == Kind.SLOW_BODIES) {
            wires.remove(wire);
            wire.close();
            loop.schedule(this::begin, 10, TimeUnit.MILLISECONDS);
        } else {
            next(wire);
        }
    }

    /** A hundred bytes of the body every tenth of a second. */
    private void drip(Wire wire, int sent) {
        if (!stopped && wire.open() && sent < BODY) {
            loop.schedule(
                    () -> {
                        wire.more(new byte[100]);
                        drip(wire, sent + 100);
                    },
                    100,
                    TimeUnit.MILLISECONDS);
        }
    }

    /** One read every two tenths of a second. */
    private void sip(Wire wire) {
        if (!stopped && wire.open()) {
            wire.readOnce();
            loop.schedule(() -> sip(wire), 200, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        stopped = true;
        loop.submit(() -> wires.forEach(Wire::close)).syncUninterruptibly();
    }
}
