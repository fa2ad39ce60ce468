package dev.ron.service.tls;

import dev.ron.http.tls.ServerCertificates;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Within;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [<service>.tls]}: whether and how a listener speaks TLS. */
@Doc("TLS on the listener; a reload reads the files again, and open connections stay.")
@OnChange(Change.HOT)
public record TlsConfig(
        @Doc("Speaks TLS, and nothing else, on the service's port.") @Default("false") @OnChange(Change.RESTART)
        boolean enabled,

        @Doc("Certificates, PEM, the own one first; ron cert dev makes one for trying out.")
        @Default("data/tls/cert.pem")
        Path certPath,

        @Doc("Its key, PEM (PKCS #8), readable by the owner only.") @Default("data/tls/key.pem")
        Path keyPath,

        @Doc("Other certificates by the host that a client asks for: a name, or *.suffix.")
        Map<String, HostFiles> hosts,

        @Doc("The oldest version that is spoken.") @Default("tls1_3")
        Version minVersion,

        @Doc("Offers HTTP/2.") @Default("true") boolean http2,

        @Doc("Who signs the certificates of clients; without it none are asked for.")
        Optional<Path> clientCaPath,

        @Doc("Whether a client must show a certificate, where client_ca_path is set.") @Default("required")
        ClientAuth clientAuth,

        @Doc("How long a handshake may take.") @Default("2s") @Within(min = "100ms", max = "60s")
        Duration handshakeTimeout) {

    /** The defaults. */
    public static final TlsConfig OFF = new TlsConfig(
            false,
            Path.of("data/tls/cert.pem"),
            Path.of("data/tls/key.pem"),
            Map.of(),
            Version.TLS1_3,
            true,
            Optional.empty(),
            ClientAuth.REQUIRED,
            Duration.ofSeconds(2));

    /** {@code [<service>.tls.hosts."<host>"]}. */
    public record HostFiles(
            @Doc("Certificates, PEM, the own one first.") Path certPath,

            @Doc("Its key, PEM (PKCS #8), readable by the owner only.")
            Path keyPath) {}

    /** Versions of TLS. */
    public enum Version {
        TLS1_2,
        TLS1_3
    }

    /** What is asked of clients. */
    public enum ClientAuth {
        OPTIONAL,
        REQUIRED
    }

    @Check(value = "each must be a host name, or *. and one", key = "hosts")
    boolean hostsAreNames() {
        return hosts.keySet().stream().allMatch(host -> host.matches("(\\*\\.)?[A-Za-z0-9_.-]{1,253}"));
    }

    /** Reads every file; one that cannot be used is a {@link dev.ron.http.tls.BadTlsFile}. */
    ServerCertificates load() {
        Map<String, TlsIdentity> byHost = new HashMap<>();
        hosts.forEach((host, files) -> byHost.put(host, TlsIdentity.load(files.certPath(), files.keyPath())));
        ServerCertificates own = new ServerCertificates(TlsIdentity.load(certPath, keyPath), byHost, List.of(), false);
        return clientCaPath
                .map(roots -> own.withClients(roots, clientAuth == ClientAuth.REQUIRED))
                .orElse(own);
    }

    TlsOptions options() {
        TlsOptions standard = TlsOptions.defaults()
                .withHandshakeLimit(handshakeTimeout)
                .withProtocols(http2 ? List.of("h2", "http/1.1") : List.of("http/1.1"));
        return minVersion == Version.TLS1_2 ? standard.withTls12() : standard;
    }
}
