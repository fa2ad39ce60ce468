package dev.ron.http.tls;

import java.time.Duration;
import java.util.List;

/**
 * What a TLS side agrees to.
 *
 * @param engine who does the cryptography
 * @param tls12 true to accept TLS 1.2 beside 1.3
 * @param protocols the application protocols in order of preference, for ALPN; empty for none
 * @param handshakeLimit how long a handshake may take
 */
public record TlsOptions(TlsEngine engine, boolean tls12, List<String> protocols, Duration handshakeLimit) {

    public TlsOptions {
        protocols = List.copyOf(protocols);
    }

    /** The best engine, TLS 1.3 only, HTTP/1.1, 2 s. */
    public static TlsOptions defaults() {
        return new TlsOptions(TlsEngine.best(), false, List.of("http/1.1"), Duration.ofSeconds(2));
    }

    public TlsOptions withTls12() {
        return new TlsOptions(engine, true, protocols, handshakeLimit);
    }

    public TlsOptions withProtocols(List<String> alpn) {
        return new TlsOptions(engine, tls12, alpn, handshakeLimit);
    }

    public TlsOptions withHandshakeLimit(Duration limit) {
        return new TlsOptions(engine, tls12, protocols, limit);
    }

    public TlsOptions withEngine(TlsEngine other) {
        return new TlsOptions(other, tls12, protocols, handshakeLimit);
    }
}
