package dev.ron.http.server;

import dev.ron.http.tls.ServerTls;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Who is at the other end of a connection, as far as it is known; used on the connection's loop. */
final class Caller {
    private final Channel channel;
    private final Optional<ServerTls> tls;
    private final InetAddress source;
    private SocketAddress address;
    private String askedHost = "";
    private boolean known;

    Caller(Channel channel, InetAddress source, Optional<ServerTls> tls) {
        this.source = source;
        this.channel = channel;
        this.tls = tls;
        this.address = channel.remoteAddress();
    }

    /** The address of the connection itself. */
    InetAddress source() {
        return source;
    }

    /** Who asks: the peer, or whom a trusted peer speaks for. */
    SocketAddress address() {
        return address;
    }

    /** A trusted peer has said whose connection it passes on. */
    void isReally(SocketAddress behind) {
        address = behind;
    }

    /** It has asked something, or has gone; true the first time. */
    boolean becomesKnown() {
        boolean first = !known;
        known = true;
        return first;
    }

    boolean secure() {
        return tls.isPresent();
    }

    /** The name in its TLS hello. */
    void askedFor(String host) {
        askedHost = host;
    }

    /** Whether a request for this host fits the certificate it was shown. */
    boolean mayAsk(String host) {
        return tls.isEmpty() || tls.get().sameIdentity(askedHost, host);
    }

    /** What it has shown of itself, its own certificate first; verified by the handshake. */
    List<X509Certificate> certificates() {
        SslHandler handler = tls.isEmpty() ? null : channel.pipeline().get(SslHandler.class);
        if (handler == null || !asksForCertificates(handler.engine())) {
            return List.of();
        }
        try {
            Certificate[] chain = handler.engine().getSession().getPeerCertificates();
            return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException _) {
            return List.of();
        }
    }

    private static boolean asksForCertificates(SSLEngine engine) {
        return engine.getWantClientAuth() || engine.getNeedClientAuth();
    }
}
