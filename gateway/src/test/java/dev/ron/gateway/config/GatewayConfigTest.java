package dev.ron.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.TestGateway;
import dev.ron.service.config.Bytes;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.tls.TlsConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {
    private static final String EVERY_KEY = """
            [gateway]
            max_conns = 1000
            max_conns_per_source = 100
            max_inflight = 99
            read_timeout = "1s"
            write_timeout = "2s"
            idle_timeout = "3s"
            request_timeout = "4s"
            instance = "front"
            [gateway.limits]
            max_body_bytes = "2KiB"
            decode_ratio_max = 3
            decode_abs_cap_bytes = "4KiB"
            max_header_bytes = "5KiB"
            max_header_count = 60
            max_line_bytes = "2KiB"
            min_rate = "7B"
            slot_rate = "8B"
            buffer_budget_bytes = "1MiB"
            [gateway.auth]
            audience = "svc-front"
            clock_skew = "9s"
            keys_url = "https://office:1"
            issuer = "https://office.example"
            [gateway.drr]
            default_quantum = 2
            tenant_quanta = { acme = 3 }
            rate_limit_rps = 500
            rate_limit_burst = 51
            max_queue_wait = "2s"
            [gateway.retry]
            tries = 2
            initial_min = "10ms"
            initial_max = "20ms"
            cap = "1s"
            statuses = [503]
            [gateway.breaker]
            window = "11s"
            min_calls = 12
            failure_percent = 13
            open = "14s"
            max_open = "15s"
            eject_after = 16
            max_ejected_percent = 17
            [gateway.proxy]
            strip_headers = ["x-own"]
            trusted_cidrs = ["10.0.0.0/8"]
            [gateway.compress]
            enabled = true
            min_bytes = "2KiB"
            types = ["text/html"]
            [gateway.hosts]
            allow = ["a.example"]
            [gateway.routes.r]
            hosts = ["*.example"]
            path = "/a/**"
            methods = ["POST"]
            headers = { x = "1" }
            upstream = "u"
            strip_prefix = "/a"
            rewrite = "/b"
            timeout = "1s"
            stream_idle = "2s"
            max_body_bytes = "1KiB"
            auth = "none"
            tenant = "static:t"
            priority = "read"
            rate_limit_rps = 11
            rate_limit_burst = 12
            rate_limit_key = "ip"
            upgrade = ["websocket"]
            [gateway.upstreams.u]
            targets = [ { url = "http://h:81", weight = 5 } ]
            max_inflight = 1
            connect_timeout = "2s"
            max_connections = 3
            max_pending = 4
            idle = "5s"
            dns_interval = "6s"
            preserve_host = true
            forward_authorization = true
            audience = "svc-u"
            critical = true
            max_streams = 7
            ca_path = "ca.pem"
            max_streams_per_tenant = 8
            health = { path = "/h", interval = "7s", timeout = "8s", fall = 9, rise = 10 }
            """;

    private static GatewayConfig config(String toml) {
        return TestGateway.load(toml).section(GatewayConfig.class);
    }

    @Test
    void defaults() {
        assertThat(config(""))
                .isEqualTo(new GatewayConfig(
                        2048,
                        1024,
                        512,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(5),
                        "",
                        TlsConfig.OFF,
                        new GatewayConfig.Limits(
                                Bytes.of(1 << 20),
                                10,
                                Bytes.of(8 << 20),
                                Bytes.of(16 << 10),
                                100,
                                Bytes.of(8 << 10),
                                Bytes.of(1 << 10),
                                Bytes.of(64 << 10),
                                Bytes.of(64 << 20)),
                        new AuthConfig(
                                "svc-gateway",
                                Duration.ofSeconds(60),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Map.of()),
                        new GatewayConfig.Drr(1, Map.of(), 0, 0, Duration.ofSeconds(1)),
                        new GatewayConfig.Retry(
                                3,
                                Duration.ofMillis(50),
                                Duration.ofMillis(100),
                                Duration.ofSeconds(2),
                                List.of(502, 503, 504)),
                        new GatewayConfig.Breaker(
                                Duration.ofSeconds(10), 20, 50, Duration.ofSeconds(2), Duration.ofSeconds(30), 5, 50),
                        new GatewayConfig.Proxy(List.of(), List.of()),
                        new GatewayConfig.Compress(
                                false,
                                Bytes.of(1 << 10),
                                List.of(
                                        "text/*",
                                        "application/json",
                                        "application/javascript",
                                        "application/xml",
                                        "application/problem+json",
                                        "application/geo+json",
                                        "application/wasm",
                                        "image/svg+xml")),
                        new GatewayConfig.Hosts(List.of()),
                        GatewayConfig.Peers.ALL,
                        Map.of(),
                        Map.of()));
    }

    @Test
    void everyKey() {
        GatewayConfig all = config(EVERY_KEY);
        assertThat(all.routes())
                .isEqualTo(Map.of(
                        "r",
                        new RouteConfig(
                                List.of("*.example"),
                                "/a/**",
                                List.of("POST"),
                                Map.of("x", "1"),
                                "u",
                                Optional.of("/a"),
                                Optional.of("/b"),
                                Optional.of(Duration.ofSeconds(1)),
                                Duration.ofSeconds(2),
                                Optional.of(Bytes.of(1 << 10)),
                                RouteConfig.Auth.NONE,
                                "static:t",
                                RouteConfig.Priority.READ,
                                11,
                                12,
                                RouteConfig.RateKey.IP,
                                List.of("websocket"))));
        assertThat(all.upstreams())
                .isEqualTo(Map.of(
                        "u",
                        new UpstreamConfig(
                                List.of(new UpstreamConfig.TargetConfig(URI.create("http://h:81"), 5)),
                                1,
                                Duration.ofSeconds(2),
                                3,
                                4,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(6),
                                true,
                                true,
                                Optional.of("svc-u"),
                                true,
                                7,
                                8,
                                Optional.of(Path.of("ca.pem")),
                                new UpstreamConfig.Health(
                                        Optional.of("/h"), Duration.ofSeconds(7), Duration.ofSeconds(8), 9, 10))));
        // each of the others is unlike its default
        List<String> changed = TestGateway.load("").changesTo(TestGateway.load(EVERY_KEY)).stream()
                .map(ConfigChange::key)
                .toList();
        assertThat(changed)
                .contains("gateway.max_conns", "gateway.drr.default_quantum", "gateway.limits.decode_ratio_max")
                .filteredOn(key -> !key.startsWith("gateway.routes") && !key.startsWith("gateway.upstreams"))
                .hasSize(44);
    }

    @Test
    void mistakesAreNamedTogether() {
        assertThatThrownBy(() -> config("""
                        [gateway.limits]
                        max_body_bytes = "16MiB"
                        [gateway.routes.a]
                        path = "/a"
                        methods = ["TRACE"]
                        upstream = "nowhere"
                        [gateway.upstreams.u]
                        targets = [ { url = "http://h/path" } ]
                        """))
                .hasMessageContaining("must not be smaller than gateway.limits.max_body_bytes")
                .hasMessageContaining("must be among GET")
                .hasMessageContaining(
                        "gateway.routes.a.upstream: nowhere (must name one of gateway.upstreams; known: u)")
                .hasMessageContaining("must be http://host:port");
    }

    @Test
    void aMisspeltUpstreamIsNamedWithTheOneThatWasMeant() {
        assertThatThrownBy(() -> config("""
                        [gateway.routes.a]
                        path = "/a"
                        upstream = "oders"
                        [gateway.upstreams.orders]
                        targets = [ { url = "http://h:1" } ]
                        """))
                .hasMessageContaining("gateway.routes.a.upstream: oders")
                .hasMessageContaining("did you mean orders?");
    }

    @Test
    void routesThatFitTheSameAreRefused() {
        assertThatThrownBy(() -> config("""
                        [gateway.routes.a]
                        path = "/x/{y}"
                        upstream = "u"
                        [gateway.routes.b]
                        path = "/x/{z}"
                        upstream = "u"
                        [gateway.upstreams.u]
                        targets = [ { url = "http://h:1" } ]
                        """)).hasMessageContaining("two routes must not fit the same");
    }
}
