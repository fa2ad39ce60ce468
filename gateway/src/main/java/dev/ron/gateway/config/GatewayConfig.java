package dev.ron.gateway.config;

import dev.ron.gateway.route.RouteTable;
import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Within;
import dev.ron.service.tls.TlsConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code [gateway]}: limits of the listener, and what it forwards where. */
@Doc("The front door.")
@OnChange(Change.HOT)
public record GatewayConfig(
        @Doc("Open connections.") @Default("2048") @Range(min = 1, max = 65_535)
        int maxConns,

        @Doc(
                "Of these, how many one address (of IPv6: one /64) may hold; all of them where a balancer stands before it.")
        @Default("1024")
        @Range(min = 1, max = 65_535)
        int maxConnsPerSource,

        @Doc("Requests at an upstream at once, whatever the upstream says.")
        @Default("512")
        @Range(min = 1, max = 65_535)
        int maxInflight,

        @Doc("A request head from its first byte, and the gap between two pieces of a body.")
        @Default("5s")
        @Within(min = "100ms", max = "60s")
        Duration readTimeout,

        @Doc("An answer that makes no progress.") @Default("5s") @Within(min = "100ms", max = "60s")
        Duration writeTimeout,

        @Doc("A connection between two requests.") @Default("60s") @Within(min = "1s", max = "10m")
        Duration idleTimeout,

        @Doc("The longest a caller waits for the head of its answer.") @Default("5s") @Within(min = "100ms", max = "5m")
        Duration requestTimeout,

        @Doc("The name in Via, by which a loop is noticed; empty takes one at random.")
        @Default("")
        @OnChange(Change.RESTART)
        String instance,

        TlsConfig tls,
        Limits limits,
        @OnChange(Change.RESTART) AuthConfig auth,
        Drr drr,
        Retry retry,
        Breaker breaker,
        Proxy proxy,
        Compress compress,
        Hosts hosts,
        Peers peers,
        Map<String, RouteConfig> routes,
        Map<String, UpstreamConfig> upstreams) {

    /** {@code [gateway.limits]}. */
    @Doc("What a request may be.")
    public record Limits(
            @Doc("Largest request body.") @Default("1MiB") @Within(min = "1KiB", max = "1GiB")
            Bytes maxBodyBytes,

            @Doc("How many times its size a body may decode to.") @Default("10") @Range(min = 1, max = 1000)
            int decodeRatioMax,

            @Doc("The most a body may decode to.") @Default("8MiB") @Within(min = "1KiB", max = "1GiB")
            Bytes decodeAbsCapBytes,

            @Doc("Largest request head.") @Default("16KiB") @Within(min = "1KiB", max = "256KiB")
            Bytes maxHeaderBytes,

            @Doc("Header fields of a request.") @Default("100") @Range(min = 10, max = 1000)
            int maxHeaderCount,

            @Doc("Longest request line.") @Default("8KiB") @Within(min = "1KiB", max = "256KiB")
            Bytes maxLineBytes,

            @Doc("Bytes a second below which a body is too slow, in either direction.")
            @Default("1KiB")
            @Within(min = "0B", max = "1MiB")
            Bytes minRate,

            @Doc("Bytes a second that a caller must send or take while an upstream waits for it.")
            @Default("64KiB")
            @Within(min = "0B", max = "1GiB")
            Bytes slotRate,

            @Doc("What may be held of request bodies that wait for their turn, and as much again of answers.")
            @Default("64MiB")
            @Within(min = "64KiB", max = "16GiB")
            Bytes bufferBudgetBytes) {

        @Check(value = "must not be smaller than gateway.limits.max_body_bytes", key = "decode_abs_cap_bytes")
        boolean decodedHoldsBody() {
            return decodeAbsCapBytes.count() >= maxBodyBytes.count();
        }

        @Check(value = "must not be larger than gateway.limits.max_header_bytes", key = "max_line_bytes")
        boolean lineFitsHead() {
            return maxLineBytes.count() <= maxHeaderBytes.count();
        }
    }

    /** {@code [gateway.drr]}. */
    @Doc("How capacity is shared between tenants.")
    public record Drr(
            @Doc("Share of a tenant that tenant_quanta does not name.") @Default("1") @Range(min = 1, max = 1000)
            int defaultQuantum,

            @Doc("Shares by tenant.") Map<String, Integer> tenantQuanta,

            @Doc("Requests a second of this instance, shared by the tenants' quanta; 0 sets no limit.")
            @Default("0")
            @Range(min = 0, max = 10_000_000)
            int rateLimitRps,

            @Doc("Requests that may come at once; 0 takes a tenth of the rate.")
            @Default("0")
            @Range(min = 0, max = 10_000_000)
            int rateLimitBurst,

            @Doc("The longest a request waits for its turn.")
            @Default("1s")
            @Within(min = "10ms", max = "60s")
            @OnChange(Change.RESTART)
            Duration maxQueueWait) {

        public int quantumOf(String tenant) {
            Integer own = tenantQuanta.isEmpty() ? null : tenantQuanta.get(tenant);
            return own == null ? defaultQuantum : own;
        }

        @Check(value = "at most 4096 tenants with shares of 1..1000", key = "tenant_quanta")
        boolean quantaInRange() {
            return tenantQuanta.size() <= 4096
                    && tenantQuanta.values().stream().allMatch(quantum -> quantum >= 1 && quantum <= 1000);
        }
    }

    /** {@code [gateway.retry]}. */
    @Doc("When a safe request is sent again.")
    public record Retry(
            @Doc("Tries in all, the first included.") @Default("3") @Range(min = 1, max = 3)
            int tries,

            @Doc("Shortest first wait; it doubles with each retry.") @Default("50ms") @Within(min = "1ms", max = "2s")
            Duration initialMin,

            @Doc("Longest first wait.") @Default("100ms") @Within(min = "1ms", max = "4s")
            Duration initialMax,

            @Doc("Bound of the doubling.") @Default("2s") @Within(min = "1ms", max = "60s")
            Duration cap,

            @Doc("Answers of an upstream that are worth another try.") @Default("502,503,504")
            List<Integer> statuses) {

        @Check(value = "must not be shorter than gateway.retry.initial_min", key = "initial_max")
        boolean waitsInOrder() {
            return initialMax.compareTo(initialMin) >= 0;
        }
    }

    /** {@code [gateway.breaker]}. */
    @Doc("When a target that keeps failing is left alone; each target has its own.")
    public record Breaker(
            @Doc("The window that is judged.") @Default("10s") @Within(min = "1s", max = "5m")
            Duration window,

            @Doc("Fewer calls than this are not judged.") @Default("20") @Range(min = 1, max = 100_000)
            int minCalls,

            @Doc("Share of failures that opens it.") @Default("50") @Range(min = 1, max = 100)
            int failurePercent,

            @Doc("How long it stays open at first; it doubles while probes fail.")
            @Default("2s")
            @Within(min = "100ms", max = "5m")
            Duration open,

            @Doc("Bound of the doubling.") @Default("30s") @Within(min = "100ms", max = "1h")
            Duration maxOpen,

            @Doc("Failures in a row that take a target out of the choice.") @Default("5") @Range(min = 1, max = 1000)
            int ejectAfter,

            @Doc("At most this share of an upstream's targets is out at once.")
            @Default("50")
            @Range(min = 0, max = 100)
            int maxEjectedPercent) {

        @Check(value = "must not be longer than gateway.breaker.max_open", key = "open")
        boolean boundsInOrder() {
            return open.compareTo(maxOpen) <= 0;
        }
    }

    /** {@code [gateway.proxy]}. */
    @Doc("What passes between the two hops.")
    public record Proxy(
            @Doc("Fields that callers may never send on, beside those that always count as identity; * ends a prefix.")
            @Default("")
            List<String> stripHeaders,

            @Doc("Networks whose word on the tenant of a request counts.") @Default("")
            List<String> trustedCidrs) {

        @Check(value = "each must be a network such as 10.0.0.0/8", key = "trusted_cidrs")
        boolean networksAreNetworks() {
            return trustedCidrs.stream().allMatch(Networks::isNetwork);
        }

        @Check(value = "each must be a field name, or a prefix that ends in *", key = "strip_headers")
        boolean namesAreNames() {
            return stripHeaders.stream().allMatch(name -> name.matches("[A-Za-z0-9-]{1,64}\\*?"));
        }
    }

    /** {@code [gateway.compress]}. */
    @Doc("Answers that are compressed (gzip) for callers that ask for it.")
    public record Compress(
            @Doc("Off where answers mix secrets with what callers send: their size then tells of the secrets.")
            @Default("false")
            boolean enabled,

            @Doc("Smaller answers are left as they are.") @Default("1KiB") @Within(min = "0B", max = "1GiB")
            Bytes minBytes,

            @Doc("Media types that gain by it; /* ends a whole class. Event streams never count.")
            @Default("text/*,application/json,application/javascript,application/xml,application/problem+json,"
                    + "application/geo+json,application/wasm,image/svg+xml")
            List<String> types) {

        @Check(value = "each must be a media type in small letters, such as text/html or text/*", key = "types")
        boolean typesAreTypes() {
            return types.stream().allMatch(type -> type.matches("[a-z0-9.+-]+/([a-z0-9.+-]+|\\*)"));
        }
    }

    /** {@code [gateway.hosts]}. */
    @Doc("Which hosts are served.")
    public record Hosts(
            @Doc("Host names without port; empty serves all.") @Default("")
            List<String> allow) {}

    /** {@code [gateway.peers]}. */
    @Doc("Who may connect, and how.")
    public record Peers(
            @Doc("Networks that may connect; empty lets everybody in.") @Default("")
            List<String> allow,

            @Doc("Networks that may not, whatever allow says.") @Default("")
            List<String> deny,

            @Doc("Networks of balancers that say in front of a connection whose it is (PROXY protocol 1 and 2).")
            @Default("")
            List<String> proxyProtocol,

            @Doc("Takes HTTP/2 also without TLS, from callers that begin with it.") @Default("false")
            boolean http2PriorKnowledge) {

        public static final Peers ALL = new Peers(List.of(), List.of(), List.of(), false);

        @Check(value = "each must be a network such as 10.0.0.0/8", key = "allow")
        boolean allowedAreNetworks() {
            return allow.stream().allMatch(Networks::isNetwork);
        }

        @Check(value = "each must be a network such as 10.0.0.0/8", key = "deny")
        boolean deniedAreNetworks() {
            return deny.stream().allMatch(Networks::isNetwork);
        }

        @Check(value = "each must be a network such as 10.0.0.0/8", key = "proxy_protocol")
        boolean balancersAreNetworks() {
            return proxyProtocol.stream().allMatch(Networks::isNetwork);
        }
    }

    @Check(value = "two routes must not fit the same host, path, method and headers", key = "routes")
    boolean routesDiffer() {
        try {
            RouteTable.of(routes);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    @Check(value = "must not be larger than gateway.max_conns", key = "max_conns_per_source")
    boolean sourceFits() {
        return maxConnsPerSource <= maxConns;
    }

    /** The same with other routes and upstreams, and other shares of tenants. */
    public GatewayConfig with(
            Map<String, RouteConfig> otherRoutes,
            Map<String, UpstreamConfig> otherUpstreams,
            Map<String, Integer> otherQuanta) {
        Drr shares = new Drr(
                drr.defaultQuantum(), otherQuanta, drr.rateLimitRps(), drr.rateLimitBurst(), drr.maxQueueWait());
        return new GatewayConfig(
                maxConns,
                maxConnsPerSource,
                maxInflight,
                readTimeout,
                writeTimeout,
                idleTimeout,
                requestTimeout,
                instance,
                tls,
                limits,
                auth,
                shares,
                retry,
                breaker,
                proxy,
                compress,
                hosts,
                peers,
                otherRoutes,
                otherUpstreams);
    }
}
