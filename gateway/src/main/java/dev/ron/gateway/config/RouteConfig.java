package dev.ron.gateway.config;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.Within;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code [gateway.routes.<id>]}: which requests go to which upstream. */
@Doc("A route; its name is the label of its metrics.")
public record RouteConfig(
        @Doc("Host names, exact or *.suffix; empty fits every host.") @Default("")
        List<String> hosts,

        @Doc("/exact, /prefix/** or /seg/{name}/rest; the most literal one wins.")
        String path,

        @Doc("Methods; others are answered 405.") @Default("GET,HEAD")
        List<String> methods,

        @Doc("Header fields that must have this value; * fits every value.")
        Map<String, String> headers,

        @Doc("The name of an upstream.") String upstream,

        @Doc("Taken away from the front of the path.") Optional<String> stripPrefix,

        @Doc("Put in front of what is left of the path.") Optional<String> rewrite,

        @Doc("Shortens gateway.request_timeout for this route.")
        Optional<Duration> timeout,

        @Doc("Longest silence inside a streamed answer.") @Default("5s") @Within(min = "100ms", max = "1h")
        Duration streamIdle,

        @Doc("Lowers gateway.limits.max_body_bytes for this route.")
        Optional<Bytes> maxBodyBytes) {

    /** What can be forwarded; TRACE and CONNECT never. */
    public static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    @Check(value = "must be among GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", key = "methods")
    boolean methodsAreKnown() {
        return !methods.isEmpty() && METHODS.containsAll(methods);
    }

    @Check(value = "must start with / and hold no query", key = "strip_prefix")
    boolean stripIsPath() {
        return stripPrefix.map(RouteConfig::plainPath).orElse(true);
    }

    @Check(value = "must start with / and hold no query", key = "rewrite")
    boolean rewriteIsPath() {
        return rewrite.map(RouteConfig::plainPath).orElse(true);
    }

    private static boolean plainPath(String path) {
        return path.matches("(/[A-Za-z0-9._~!$&'()*+,=:@%-]*)+");
    }

    @Check(value = "must not be longer than gateway.request_timeout", key = "timeout")
    boolean timeoutShortens(GatewayConfig gateway) {
        return timeout.map(own -> own.compareTo(gateway.requestTimeout()) <= 0).orElse(true);
    }

    @Check(value = "must not be larger than gateway.limits.max_body_bytes", key = "max_body_bytes")
    boolean bodyLowers(GatewayConfig gateway) {
        return maxBodyBytes
                .map(own -> own.count() <= gateway.limits().maxBodyBytes().count())
                .orElse(true);
    }
}
