package dev.ron.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server's side of TLS: one handler per connection, with the certificates of the moment. */
public final class ServerTls implements AutoCloseable {
    private static final int MAX_HELLO_BYTES = 16 << 10;

    private volatile TlsOptions options;
    private final SwappableContext<ServerContexts> contexts;

    public ServerTls(TlsIdentity identity, TlsOptions options) {
        this(ServerCertificates.of(identity), options);
    }

    public ServerTls(ServerCertificates certificates, TlsOptions options) {
        this.options = options;
        this.contexts = new SwappableContext<>(new ServerContexts(certificates, options));
    }

    /** The first handler of a connection; where hosts have their own certificates it waits for the name of one. */
    public ChannelHandler newHandler(ByteBufAllocator allocator) {
        return contexts.use(current -> current.certificates().byHost().isEmpty()
                ? handler(current, "", allocator)
                : new ByName(options.handshakeLimit().toMillis()));
    }

    private SslHandler handler(ServerContexts current, String host, ByteBufAllocator allocator) {
        SslHandler handler = current.forHost(host).newHandler(allocator);
        handler.setHandshakeTimeout(options.handshakeLimit().toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    /** Reads the name in the client's hello, then gives its place to the handler of that name. */
    private final class ByName extends AbstractSniHandler<String> {

        ByName(long handshakeMillis) {
            super(MAX_HELLO_BYTES, handshakeMillis);
        }

        @Override
        protected Future<String> lookup(ChannelHandlerContext context, @Nullable String host) {
            return context.executor().newSucceededFuture(host == null ? "" : host);
        }

        @Override
        protected void onLookupComplete(ChannelHandlerContext context, @Nullable String host, Future<String> found) {
            String name = found.getNow();
            SslHandler handler = contexts.use(current -> handler(current, name, context.alloc()));
            context.pipeline().replace(this, SslHandler.class.getName(), handler);
        }
    }

    /**
     * Whether a request for one host may come over a connection that was opened for another: only where both show the
     * same certificate. So nobody gets round a certificate that one host asks its clients for.
     */
    public boolean sameIdentity(String asked, String host) {
        return contexts.use(current -> {
            ServerCertificates all = current.certificates();
            return all.byHost().isEmpty() || all.entryFor(asked).equals(all.entryFor(host));
        });
    }

    /** New connections get this certificate; open ones keep theirs. A bad one changes nothing. */
    public void swap(TlsIdentity next) {
        swap(ServerCertificates.of(next), options);
    }

    /** New connections get these certificates and options; open ones keep theirs. Bad ones change nothing. */
    public void swap(ServerCertificates next, TlsOptions nextOptions) {
        ServerContexts ready = new ServerContexts(next, nextOptions);
        options = nextOptions;
        contexts.swap(ready);
    }

    /** Throws what {@link #swap} would, and changes nothing. */
    public static void check(ServerCertificates certificates, TlsOptions options) {
        new ServerContexts(certificates, options).release();
    }

    public TlsOptions options() {
        return options;
    }

    /** What new connections get. */
    public ServerCertificates certificates() {
        return contexts.use(ServerContexts::certificates);
    }

    /** When the first of the certificates ends. */
    public Instant expires() {
        ServerCertificates all = certificates();
        return all.byHost().values().stream()
                .map(TlsIdentity::expires)
                .reduce(all.standard().expires(), (one, other) -> one.isBefore(other) ? one : other);
    }

    @Override
    public void close() {
        contexts.close();
    }
}
