package dev.ron.http.sse;

import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.meter.Meter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;

/** One caller of a topic: events go straight out while it takes them, else into 64 slots that keep the newest. */
final class SseClient {
    private static final int SLOTS = 64;

    private final ResponseStream out;
    private final Meter.Count dropped;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private boolean quiet;

    SseClient(ResponseStream out, Meter.Count dropped) {
        this.out = out;
        this.dropped = dropped;
        out.onWritable(this::drain);
    }

    void offer(ByteBuf event) {
        quiet = false;
        if (waiting.isEmpty() && out.writable()) {
            out.write(event);
            return;
        }
        if (waiting.size() == SLOTS) {
            waiting.removeFirst().release();
            dropped.increment();
        }
        waiting.addLast(event);
    }

    private void drain() {
        while (!waiting.isEmpty() && out.writable()) {
            out.write(waiting.removeFirst());
        }
    }

    /** Says that the stream lives, unless something else has said so since the last beat. */
    void beat(ByteBuf comment) {
        if (quiet && waiting.isEmpty() && out.writable()) {
            out.write(comment);
        } else {
            comment.release();
        }
        quiet = true;
    }

    void end() {
        drain();
        out.end();
    }

    void gone() {
        for (ByteBuf event = waiting.poll(); event != null; event = waiting.poll()) {
            event.release();
        }
    }
}
