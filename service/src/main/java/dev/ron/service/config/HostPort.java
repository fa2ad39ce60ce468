package dev.ron.service.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where to listen or to call: {@code 127.0.0.1:8080}, {@code [::1]:8080}, {@code db.internal:443}. */
public record HostPort(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]{2,64})]|([A-Za-z0-9._-]{1,253})):(\\d{1,5})");

    public HostPort {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " (expected: 0..65535)");
        }
    }

    public static HostPort parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not host:port: " + text);
        }
        String bracketed = m.group(1);
        return new HostPort(bracketed != null ? bracketed : m.group(2), Integer.parseInt(m.group(3)));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
