package dev.ron.http.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Where connections go: scheme, host and port. Connections are pooled and bounded per target. */
public record Target(boolean tls, String host, int port) {

    public Target {
        host = host.toLowerCase(Locale.ROOT);
        if (host.isEmpty() || port < 1 || port > 65535) {
            throw new IllegalArgumentException("target " + host + ":" + port + " (expected: a host and port 1..65535)");
        }
    }

    /** The target of a URL such as {@code https://host:8443}; path and query are not looked at. */
    public static Target of(String url) {
        return of(parse(url));
    }

    static Target of(URI uri) {
        boolean tls = "https".equalsIgnoreCase(uri.getScheme());
        String host = uri.getHost();
        if (host == null || uri.getRawUserInfo() != null || (!tls && !"http".equalsIgnoreCase(uri.getScheme()))) {
            throw new IllegalArgumentException(
                    "url " + uri.getScheme() + "://... (expected: http or https, a host, no user name)");
        }
        boolean v6 = host.startsWith("[");
        return new Target(
                tls,
                v6 ? host.substring(1, host.length() - 1) : host,
                uri.getPort() < 0 ? (tls ? 443 : 80) : uri.getPort());
    }

    static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url (expected: http://host:port/path): " + e.getReason(), e);
        }
    }

    /** The value of the Host header. */
    public String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + authority();
    }
}
