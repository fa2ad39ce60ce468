package dev.ron.admin.auth;

import dev.ron.http.message.RequestHead;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/** Under which names the console may be addressed. */
public final class Origins {
    private final List<String> configured;

    public Origins(List<String> configured) {
        this.configured =
                configured.stream().map(o -> o.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether the Host is this machine itself or a configured origin's: after DNS rebinding it is neither. */
    boolean isOurHost(RequestHead request) {
        String host = host(request);
        String name = name(host);
        return name.equals("localhost")
                || name.equals("::1")
                || name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")
                || configured.stream().anyMatch(origin -> authority(origin).equals(host));
    }

    /** Whether an Origin is the one the request was sent to, or a configured one. */
    boolean isOurs(String origin, RequestHead request) {
        String lower = origin.toLowerCase(Locale.ROOT);
        return configured.contains(lower)
                || (lower.equals((request.secure() ? "https://" : "http://") + host(request)) && isOurHost(request));
    }

    private static String host(RequestHead request) {
        return request.headers().first("Host").orElse("").toLowerCase(Locale.ROOT);
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    private static String name(String host) {
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            return end < 0 ? "" : host.substring(1, end);
        }
        int colon = host.lastIndexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }
}
