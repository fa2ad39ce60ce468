package dev.ron.http.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.ArrayList;
import java.util.List;

/** Who does the cryptography of TLS. */
public enum TlsEngine {
    /** BoringSSL: faster, and the only one here with post-quantum key exchange. */
    BORINGSSL,
    JDK;

    // The hybrid first: a recording of today's traffic stays closed to tomorrow's quantum computer.
    private static final String[] GROUPS = {"X25519MLKEM768", "X25519", "P-256", "P-384"};
    private static final List<String> TLS13 =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");
    private static final List<String> TLS12 = List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /** The best one that loads on this machine. */
    public static TlsEngine best() {
        return OpenSsl.isAvailable() ? BORINGSSL : JDK;
    }

    /** Applies what both sides have in common. */
    SslContextBuilder apply(SslContextBuilder builder, TlsOptions options) {
        List<String> ciphers = new ArrayList<>(TLS13);
        if (options.tls12()) {
            ciphers.addAll(TLS12);
        }
        builder.sslProvider(this == BORINGSSL ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
                .protocols(options.tls12() ? List.of("TLSv1.3", "TLSv1.2") : List.of("TLSv1.3"))
                .ciphers(ciphers, SupportedCipherSuiteFilter.INSTANCE);
        if (this == BORINGSSL) {
            builder.option(OpenSslContextOption.GROUPS, GROUPS);
        }
        if (!options.protocols().isEmpty()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    options.protocols()));
        }
        return builder;
    }
}
