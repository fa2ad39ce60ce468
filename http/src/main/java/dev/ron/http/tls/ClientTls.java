package dev.ron.http.tls;

import dev.ron.kernel.sync.Blocking;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The client's side of TLS: certificates are checked against trusted roots and against the name of the target. */
public final class ClientTls implements AutoCloseable {
    private final List<X509Certificate> roots; // none: the public ones
    private final Supplier<TlsOptions> options;
    private final AtomicReference<@Nullable SwappableContext<SslContext>> context = new AtomicReference<>();
    private volatile boolean closed;

    private ClientTls(List<X509Certificate> roots, Supplier<TlsOptions> options) {
        this.roots = roots;
        this.options = options;
    }

    /** Trusts what the Java installation trusts; who never speaks TLS never waits until that is read. */
    public static ClientTls publicRoots() {
        return new ClientTls(List.of(), TlsOptions::defaults);
    }

    public static ClientTls publicRoots(TlsOptions options) {
        return new ClientTls(List.of(), () -> options);
    }

    /** Trusts the certificates of a PEM file and nothing else. */
    public static ClientTls trusting(Path roots, TlsOptions options) {
        ClientTls tls = new ClientTls(Pem.certificates(roots), () -> options);
        tls.prepare();
        return tls;
    }

    /** Has all ready for the first connection. It takes a moment and reads files: not on an event loop. */
    public void prepare() {
        if (context.get() != null) {
            return;
        }
        Blocking.enter("reading trusted roots");
        SwappableContext<SslContext> made = new SwappableContext<>(build());
        if (!context.compareAndSet(null, made) || closed) {
            made.close();
        }
    }

    private SwappableContext<SslContext> prepared() {
        prepare();
        return Objects.requireNonNull(context.get());
    }

    private SslContext build() {
        SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
        if (!roots.isEmpty()) {
            builder.trustManager(roots);
        }
        TlsOptions agreed = options.get();
        try {
            return agreed.engine().apply(builder, agreed).build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /** The first handler of a connection to a host; the certificate must be for this name. */
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        return prepared().use(current -> {
            SslHandler handler = current.newHandler(allocator, host, port);
            handler.setHandshakeTimeout(options.get().handshakeLimit().toNanos(), TimeUnit.NANOSECONDS);
            return handler;
        });
    }

    @Override
    public void close() {
        closed = true;
        SwappableContext<SslContext> made = context.get();
        if (made != null) {
            made.close();
        }
    }
}
