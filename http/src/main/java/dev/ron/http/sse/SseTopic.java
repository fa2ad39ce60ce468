package dev.ron.http.sse;

import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.meter.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the same events to many callers.
 *
 * <p>An event is encoded once into one buffer that all connections share; each event loop takes one turn per batch. A
 * caller that cannot keep up keeps its newest 64 events and loses the oldest; nobody waits for it.
 */
public final class SseTopic {
    private static final Headers HEADERS =
            Headers.of("Content-Type", "text/event-stream", "Cache-Control", "no-store", "X-Accel-Buffering", "no");

    private final Duration heartbeat;
    private final Meter.Count dropped;
    private final Map<EventLoop, LoopFan> fans = new ConcurrentHashMap<>();

    /** {@code name} is the label {@code queue} of {@code queue_dropped_total}. */
    public SseTopic(String name, Duration heartbeat, Meter meter) {
        this.heartbeat = heartbeat;
        this.dropped = meter.counter("queue_dropped_total", "queue", name);
    }

    /** The id after which a caller wants to go on. */
    public static Optional<String> lastEventId(Exchange exchange) {
        return exchange.headers().first("Last-Event-ID").filter(id -> !id.isEmpty());
    }

    /**
     * Answers with the stream; on the exchange's loop. What is published from now on follows {@code replay}, so a caller
     * that reads the replay after subscribing elsewhere may see an event twice, never not at all.
     */
    public Listener subscribe(Exchange exchange, List<SseEvent> replay) {
        return subscribe(exchange, replay, () -> {});
    }

    /** The same, and {@code whenOver} runs when the stream has ended, however it ended. */
    public Listener subscribe(Exchange exchange, List<SseEvent> replay, Runnable whenOver) {
        LoopFan fan = fans.computeIfAbsent(
                exchange.loop(), loop -> new LoopFan(loop, exchange.timers(), heartbeat.toNanos(), dropped));
        SseClient client = new SseClient(exchange.start(200, HEADERS), dropped);
        fan.add(client);
        exchange.onOver(() -> {
            client.gone();
            fan.remove(client);
            whenOver.run();
        });
        exchange.untilDrained(client::end);
        for (SseEvent event : replay) {
            client.offer(Unpooled.wrappedBuffer(event.encode()));
        }
        return new Listener(client);
    }

    public void subscribe(Exchange exchange) {
        subscribe(exchange, List.of());
    }

    /** One caller's stream, for what is meant for it alone; on the exchange's loop, while the exchange is not over. */
    public static final class Listener {
        private final SseClient client;

        private Listener(SseClient client) {
            this.client = client;
        }

        public void send(SseEvent event) {
            client.offer(Unpooled.wrappedBuffer(event.encode()));
        }

        /** Ends the stream; the caller will come back by itself. */
        public void end() {
            client.end();
        }
    }

    /** Sends an event to every caller; from any thread, never waits. */
    public void publish(SseEvent event) {
        byte[] bytes = event.encode();
        ByteBuf shared = ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
        try {
            for (LoopFan fan : fans.values()) {
                fan.publish(shared);
            }
        } finally {
            shared.release();
        }
    }

    public int subscribers() {
        return fans.values().stream().mapToInt(LoopFan::size).sum();
    }
}
