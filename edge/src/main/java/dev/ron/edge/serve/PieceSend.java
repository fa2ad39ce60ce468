package dev.ron.edge.serve;

import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import io.netty.buffer.ByteBuf;

/** Sends bytes from memory one piece at a time, as the caller takes them; event loop only. */
final class PieceSend {
    private final Exchange exchange;
    private final ByteBuf bytes;
    private final ResponseStream out;

    /** Takes over the reference to the bytes. */
    PieceSend(Exchange exchange, ByteBuf bytes, ResponseStream out) {
        this.exchange = exchange;
        this.bytes = bytes;
        this.out = out;
    }

    void start() {
        exchange.onOver(bytes::release);
        out.onWritable(this::go);
        go();
    }

    private void go() {
        // Asked each time: over HTTP/2 whoever waits hears of room also where it is another stream's.
        while (!exchange.over() && out.writable()) {
            if (!bytes.isReadable()) {
                out.end();
                return;
            }
            boolean _ = out.write(bytes.readRetainedSlice(Math.min(FileSend.PIECE, bytes.readableBytes())));
        }
    }
}
