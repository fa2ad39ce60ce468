package dev.ron.http.server;

import dev.ron.http.decode.ContentCoding;
import dev.ron.http.guard.DecodeGuard;
import dev.ron.http.message.Request;
import dev.ron.kernel.call.Reply;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/** The way of a request to its blocking handler: gather the body, undo its coding, start one virtual thread. */
final class BlockingDispatch {
    private static final byte[] NO_BYTES = new byte[0];

    private final ServerExchange exchange;
    private final HostState host;
    private final BlockingHandler handler;

    BlockingDispatch(ServerExchange exchange, HostState host, BlockingHandler handler) {
        this.exchange = exchange;
        this.host = host;
        this.handler = handler;
    }

    void start() {
        ParsedHead head = exchange.head();
        if (!head.hasBody()) {
            call(NO_BYTES);
            return;
        }
        Optional<ContentCoding> coding = DecodeGuard.coding(head.headers());
        exchange.receive(new BodyBuffer(head.length(), body -> {
            if (coding.isPresent()) {
                decode(body, coding.get());
            } else {
                call(body);
            }
        }));
    }

    private void decode(byte[] body, ContentCoding coding) {
        host.decoding().decode(body, coding, exchange.context()).whenAnswered(outcome -> {
            try {
                exchange.loop().execute(() -> decoded(outcome));
            } catch (RejectedExecutionException loopEnded) {
                // the connection has ended with its loop
            }
        });
    }

    private void decoded(Reply.Outcome<byte[]> outcome) {
        switch (outcome) {
            case Reply.Done<byte[]>(byte[] body) -> call(body);
            case Reply.Failed<byte[]>(var failure) -> exchange.fail(failure);
        }
    }

    private void call(byte[] body) {
        if (exchange.over() || exchange.answered()) {
            return;
        }
        exchange.context(); // made on the loop: the virtual thread only reads it
        BlockingCall call = new BlockingCall(exchange, handler, new Request(exchange, body));
        exchange.onOver(call::cancel);
        host.spawn(call);
    }
}
