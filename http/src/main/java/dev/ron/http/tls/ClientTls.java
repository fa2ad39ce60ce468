package dev.ron.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** The client's side of TLS: certificates are checked against trusted roots and against the name of the target. */
public final class ClientTls implements AutoCloseable {
    private final TlsOptions options;
    private final SwappableContext<SslContext> context;

    private ClientTls(List<X509Certificate> roots, TlsOptions options) {
        this.options = options;
        this.context = new SwappableContext<>(build(roots));
    }

    /** Trusts what the Java installation trusts. */
    public static ClientTls publicRoots(TlsOptions options) {
        return new ClientTls(List.of(), options);
    }

    /** Trusts the certificates of a PEM file and nothing else. */
    public static ClientTls trusting(Path roots, TlsOptions options) {
        return new ClientTls(Pem.certificates(roots), options);
    }

    private SslContext build(List<X509Certificate> roots) {
        SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
        if (!roots.isEmpty()) {
            builder.trustManager(roots);
        }
        try {
            return options.engine().apply(builder, options).build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /** The first handler of a connection to a host; the certificate must be for this name. */
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        return context.use(current -> {
            SslHandler handler = current.newHandler(allocator, host, port);
            handler.setHandshakeTimeout(options.handshakeLimit().toNanos(), TimeUnit.NANOSECONDS);
            return handler;
        });
    }

    @Override
    public void close() {
        context.close();
    }
}
