package dev.ron.http.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a server shows, and whom it asks to show something.
 *
 * @param standard for callers that name no host, or one that is not in {@code byHost}
 * @param byHost by the host that the caller asks for: a name, or {@code *.suffix} for one more label
 * @param clientRoots who signs the certificates of clients; empty asks for none
 * @param clientsRequired refuses a client that shows none
 */
public record ServerCertificates(
        TlsIdentity standard,
        Map<String, TlsIdentity> byHost,
        List<X509Certificate> clientRoots,
        boolean clientsRequired) {

    public ServerCertificates {
        Map<String, TlsIdentity> lower = new HashMap<>();
        byHost.forEach((host, identity) -> lower.put(host.toLowerCase(Locale.ROOT), identity));
        byHost = Map.copyOf(lower);
        clientRoots = List.copyOf(clientRoots);
    }

    /** One identity for every caller, and no client certificates. */
    public static ServerCertificates of(TlsIdentity identity) {
        return new ServerCertificates(identity, Map.of(), List.of(), false);
    }

    public ServerCertificates withHost(String host, TlsIdentity identity) {
        Map<String, TlsIdentity> more = new HashMap<>(byHost);
        more.put(host, identity);
        return new ServerCertificates(standard, more, clientRoots, clientsRequired);
    }

    /** Asks clients for a certificate under the roots of a PEM file. */
    public ServerCertificates withClients(Path roots, boolean required) {
        return new ServerCertificates(standard, byHost, Pem.certificates(roots), required);
    }

    /** The key of {@link #byHost} that a host falls under; empty for the standard identity. */
    String entryFor(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (byHost.containsKey(name)) {
            return name;
        }
        int dot = name.indexOf('.');
        String wild = dot < 0 ? "" : "*" + name.substring(dot);
        return byHost.containsKey(wild) ? wild : "";
    }
}
