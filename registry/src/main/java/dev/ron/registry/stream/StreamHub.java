package dev.ron.registry.stream;

import dev.ron.http.message.Headers;
import dev.ron.http.message.QueryParams;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.ws.WebSockets;
import dev.ron.http.ws.WsListener;
import dev.ron.http.ws.WsOptions;
import dev.ron.http.ws.WsSession;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.View;
import dev.ron.registry.wire.Cbor;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code GET /registry/stream}: every commit to every reader, as server-sent events or over a WebSocket. */
public final class StreamHub {
    private static final Headers HEADERS =
            Headers.of("Content-Type", "text/event-stream", "Cache-Control", "no-store", "X-Accel-Buffering", "no");
    private static final byte[] RETRY = "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_FRAME = 4 << 10;

    private final Ring ring = new Ring();
    private final Map<EventLoop, Fan> fans = new ConcurrentHashMap<>();
    private final Supplier<View> views;
    private final History history;
    private final Permits clients;
    private final Settings settings;
    private final Meter.Count sseLagged;
    private final Meter.Count wsLagged;
    private final StreamHandler sockets;

    /** The knobs of {@code [registry.stream]}. */
    public record Settings(Duration heartbeat, int clientBuffer, int replayMax) {}

    /** Past commits, read from the log. */
    @FunctionalInterface
    public interface History {
        Committed commit(long version) throws IOException;
    }

    public StreamHub(Supplier<View> views, History history, Permits clients, Settings settings, Meter meter) {
        this.views = views;
        this.history = history;
        this.clients = clients;
        this.settings = settings;
        this.sseLagged = meter.counter("bus_lagged_total", "consumer", "sse");
        this.wsLagged = meter.counter("bus_lagged_total", "consumer", "ws");
        this.sockets = WebSockets.handler(
                new WsOptions(MAX_FRAME, MAX_FRAME, Duration.ofSeconds(40), java.util.List.of()), this::socket);
    }

    /** Fills the ring with the newest of what there is. */
    public void preload() throws IOException {
        long head = views.get().version();
        ring.start(head);
        for (long version = head;
                version > 0 && version > head - Math.min(Ring.SIZE, settings.replayMax());
                version--) {
            ring.preload(history.commit(version));
        }
    }

    /** Carries commits to the loops, and a heartbeat with the head when it is time. */
    public void run(TaskScope scope, Broadcast<Committed> committed) throws IOException {
        Subscription<Committed> news = scope.own(committed.subscribe("stream"));
        catchUp();
        while (!scope.stopping()) {
            Deadline beat = scope.untilStop().within(settings.heartbeat());
            boolean beatDue = true;
            for (var next = news.receive(beat); next.isPresent(); next = news.receive(beat)) {
                if (!carry(next.get())) {
                    return;
                }
                beatDue = !beat.expired();
            }
            if (beatDue) {
                Json.Obj head = head();
                fans.values().forEach(fan -> fan.beat(head));
            }
        }
    }

    private boolean carry(Received<Committed> received) throws IOException {
        switch (received) {
            case Received.Item<Committed>(var _, Committed commit) -> {
                if (commit.version() == ring.newest() + 1) {
                    ring.add(commit);
                } else {
                    catchUp();
                }
            }
            case Received.Lagged<Committed> _ -> catchUp();
            case Received.Closed<Committed> _ -> {
                return false;
            }
        }
        fans.values().forEach(Fan::wake);
        return true;
    }

    /** Goes on from the log where the news was lost. */
    private void catchUp() throws IOException {
        long head = views.get().version();
        for (long version = Math.max(ring.newest() + 1, head - Ring.SIZE + 1); version <= head; version++) {
            ring.add(history.commit(version));
        }
    }

    private Json.Obj head() {
        View view = views.get();
        return new ObjWriter()
                .put("version", view.version())
                .put("hash", view.ledger().headHash().toJson())
                .end();
    }

    public StreamHandler handler() {
        return this::open;
    }

    /** What a reader asks for. */
    private record Wish(Filter filter, Optional<Long> after) {
        static Wish of(Exchange exchange) {
            QueryParams query = QueryParams.parse(exchange.query());
            return new Wish(
                    Filter.of(query),
                    exchange.headers()
                            .first("Last-Event-ID")
                            .or(() -> query.first("since"))
                            .flatMap(StreamHub::number));
        }
    }

    private void open(Exchange exchange) throws Exception {
        // Read before a place is taken and an answer begun: what is wrong with it can still be said.
        Wish wish = Wish.of(exchange);
        if (!clients.tryAcquire()) {
            throw new RonException(Code.UNAVAILABLE, "stream_clients", "too many readers", Duration.ofSeconds(2), null);
        }
        Out out;
        Reader reader;
        try {
            if (exchange.headers().hasToken("Upgrade", "websocket")) {
                sockets.handle(exchange);
                return;
            }
            out = new Out(exchange.start(200, HEADERS));
            reader = join(exchange, wish, out, sseLagged);
        } catch (Exception e) {
            clients.release();
            throw e;
        }
        exchange.onOver(() -> leave(exchange, reader));
        exchange.untilDrained(() -> {
            reader.say("registry.closing", head());
            reader.end();
        });
        out.stream.onWritable(reader::pump);
        reader.pump();
    }

    private Reader join(Exchange exchange, Wish wish, Reader.Out out, Meter.Count lagged) {
        Optional<Long> after = wish.after();
        boolean reachable = after.filter(ring::reaches).isPresent();
        long next = reachable ? after.orElseThrow() + 1 : ring.newest() + 1;
        Reader reader = new Reader(ring, wish.filter(), next, settings.clientBuffer(), lagged, out);
        if (after.isPresent() && !reachable) {
            boolean _ = out.say(
                    "registry.reset",
                    new ObjWriter()
                            .put("head", ring.newest())
                            .put("minimum_version", views.get().minimumVersion())
                            .end());
        } else {
            boolean _ = out.say("heartbeat", head());
        }
        fans.computeIfAbsent(exchange.loop(), Fan::new).add(reader);
        return reader;
    }

    private static Optional<Long> number(String text) {
        return text.matches("[0-9]{1,15}") ? Optional.of(Long.parseLong(text)) : Optional.of(-1L);
    }

    private void leave(Exchange exchange, Reader reader) {
        fans.computeIfAbsent(exchange.loop(), Fan::new).remove(reader);
        clients.release();
    }

    private WsListener socket(Exchange exchange) {
        Wish wish = Wish.of(exchange);
        boolean cbor = QueryParams.parse(exchange.query())
                .first("format")
                .filter("cbor"::equals)
                .isPresent();
        return new WsListener() {
            private @Nullable Reader reader;

            @Override
            public void opened(WsSession session) {
                Reader mine = join(exchange, wish, new SocketOut(session, cbor), wsLagged);
                reader = mine;
                mine.pump();
            }

            @Override
            public void closed(WsSession session, int status) {
                Reader mine = reader;
                if (mine != null) {
                    leave(exchange, mine);
                }
            }
        };
    }

    private static final class Out implements Reader.Out {
        private final ResponseStream stream;

        Out(ResponseStream stream) {
            this.stream = stream;
            stream.write(Unpooled.wrappedBuffer(RETRY));
        }

        @Override
        public boolean writable() {
            return stream.writable();
        }

        @Override
        public boolean send(StreamEvent event) {
            stream.write(event.sse().duplicate());
            return true;
        }

        @Override
        public boolean say(String event, Json.Obj data) {
            stream.write(Unpooled.wrappedBuffer(Reader.sse(event, data)));
            return true;
        }

        @Override
        public void end() {
            stream.end();
        }
    }

    /** A WebSocket does not tell when it has room again: what it does not take is offered anew with each beat and commit. */
    private record SocketOut(WsSession session, boolean cbor) implements Reader.Out {
        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public boolean send(StreamEvent event) {
            return cbor ? session.send(event.cbor()) : session.send(event.json());
        }

        @Override
        public boolean say(String event, Json.Obj data) {
            Json.Obj message = StreamEvent.message(event, data);
            return cbor ? session.send(Cbor.write(message)) : session.send(CanonicalJson.text(message));
        }

        @Override
        public void end() {
            session.close(1001, "the service is stopping");
        }
    }
}
