package dev.ron.registry.stream;

import dev.ron.http.sse.SseEvent;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.registry.book.Committed;
import dev.ron.registry.wire.Cbor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One commit as it goes to readers; each form is written once, when the first reader wants it, however many follow. */
final class StreamEvent {
    private final Committed commit;
    private final Once<ByteBuf> sse = new Once<>(this::writeSse);
    private final Once<String> json = new Once<>(() -> CanonicalJson.text(update()));
    private final Once<byte[]> cbor = new Once<>(() -> Cbor.write(update()));

    StreamEvent(Committed commit) {
        this.commit = commit;
    }

    long version() {
        return commit.version();
    }

    List<String> kinds() {
        return commit.kinds();
    }

    List<String> ids() {
        return commit.ids();
    }

    boolean incomplete() {
        return commit.incomplete();
    }

    ByteBuf sse() {
        return sse.get();
    }

    String json() {
        return json.get();
    }

    byte[] cbor() {
        return cbor.get();
    }

    private ByteBuf writeSse() {
        String data = CanonicalJson.text(commit.toJson());
        byte[] bytes = new SseEvent(Long.toString(version()), "registry.update", data).encode();
        // Outside the heap, so that it is not copied there for each reader; it lives as long as its place in the ring,
        // connections share it, and the collector takes it.
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()));
    }

    private Json.Obj update() {
        return message("registry.update", commit.toJson());
    }

    /** An event of another kind, as a WebSocket message. */
    static Json.Obj message(String event, Json.Obj data) {
        return new ObjWriter().put("event", event).put("data", data).end();
    }

    /** A form that is made at the first call; loops that ask at once may each make it, which does no harm. */
    private static final class Once<T> {
        private final Supplier<T> make;
        private volatile @Nullable T made;

        Once(Supplier<T> make) {
            this.make = make;
        }

        T get() {
            T known = made;
            if (known == null) {
                known = make.get();
                made = known;
            }
            return known;
        }
    }
}
