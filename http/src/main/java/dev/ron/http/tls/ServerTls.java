package dev.ron.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** The server's side of TLS: one handler per connection, with the certificate of the moment. */
public final class ServerTls implements AutoCloseable {
    private final TlsOptions options;
    private final SwappableContext context;

    public ServerTls(TlsIdentity identity, TlsOptions options) {
        this.options = options;
        this.context = new SwappableContext(build(identity));
    }

    private SslContext build(TlsIdentity identity) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain());
            return options.engine().apply(builder, options).build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("certificate " + identity + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * The first handler of a connection. Callers know it only as a handler, so that one which chooses the
     * certificate by the name that the client asks for can take its place.
     */
    public ChannelHandler newHandler(ByteBufAllocator allocator) {
        return context.use(current -> {
            SslHandler handler = current.newHandler(allocator);
            handler.setHandshakeTimeout(options.handshakeLimit().toNanos(), TimeUnit.NANOSECONDS);
            return handler;
        });
    }

    /** New connections get this certificate; open ones keep theirs. A bad one changes nothing. */
    public void swap(TlsIdentity next) {
        context.swap(build(next));
    }

    @Override
    public void close() {
        context.close();
    }
}
