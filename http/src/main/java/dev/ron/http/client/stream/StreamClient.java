package dev.ron.http.client.stream;

import dev.ron.http.client.Target;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Makes endpoints whose calls run on the loops of their callers; the loops and TLS outlive it. */
public final class StreamClient {
    private static final int MAX_HEAD_BYTES = 64 << 10;
    private static final int MAX_FIELDS = 200;

    private final EventLoops loops;
    private final Optional<ClientTls> tls;
    private final Map<EventLoop, Scratch> scratch = new HashMap<>();

    /** What the connections of one loop share. */
    private record Scratch(ResponseHeadParser parser, RequestWriter writer) {}

    /** Makes the pools of an endpoint, one for each loop. */
    interface PoolMaker {
        Map<EventLoop, LoopPool> of(Endpoint endpoint);
    }

    /** Without {@code tls} only plain targets can be had. */
    public StreamClient(EventLoops loops, Optional<ClientTls> tls) {
        this.loops = loops;
        this.tls = tls;
        for (EventExecutor loop : loops.group()) {
            scratch.put(
                    (EventLoop) loop,
                    new Scratch(new ResponseHeadParser(MAX_HEAD_BYTES, MAX_FIELDS), new RequestWriter()));
        }
    }

    public EventLoops loops() {
        return loops;
    }

    /** An address that was resolved and vetted already; {@code target} names it in the handshake and in failures. */
    public Endpoint endpoint(Target target, InetSocketAddress address, StreamOptions options) {
        if (target.tls() && tls.isEmpty()) {
            throw new IllegalArgumentException(target + " (expected: http, this client has no TLS)");
        }
        return new Endpoint(target, address, options, target.tls() ? tls : Optional.empty(), this::pools);
    }

    /** The same with a TLS side of its own, for a target with its own authority. */
    public Endpoint endpoint(Target target, InetSocketAddress address, StreamOptions options, ClientTls own) {
        return new Endpoint(target, address, options, target.tls() ? Optional.of(own) : Optional.empty(), this::pools);
    }

    private Map<EventLoop, LoopPool> pools(Endpoint endpoint) {
        Map<EventLoop, LoopPool> pools = new HashMap<>();
        scratch.forEach((loop, shared) ->
                pools.put(loop, new LoopPool(endpoint, loops, loop, shared.parser(), shared.writer())));
        return pools;
    }
}
