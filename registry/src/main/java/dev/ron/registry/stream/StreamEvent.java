package dev.ron.registry.stream;

import dev.ron.http.sse.SseEvent;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.registry.book.Committed;
import dev.ron.registry.wire.Cbor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.function.Supplier;

/** One commit as it goes to readers; each form is written once, whoever many read it. */
record StreamEvent(
        long version, List<String> kinds, List<String> ids, ByteBuf sse, String json, Supplier<byte[]> cbor) {

    static StreamEvent of(Committed commit) {
        String json = CanonicalJson.text(commit.toJson());
        byte[] sse = new SseEvent(Long.toString(commit.version()), "registry.update", json).encode();
        return new StreamEvent(
                commit.version(),
                commit.kinds(),
                commit.ids(),
                // Never released: it lives as long as its place in the ring, and connections share it.
                Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(sse)),
                CanonicalJson.text(message("registry.update", commit.toJson())),
                () -> Cbor.write(message("registry.update", commit.toJson())));
    }

    /** An event of another kind, as a WebSocket message. */
    static Json.Obj message(String event, Json.Obj data) {
        return new ObjWriter().put("event", event).put("data", data).end();
    }
}
