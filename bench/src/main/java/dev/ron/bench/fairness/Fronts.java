package dev.ron.bench.fairness;

import dev.ron.bench.side.Java;
import dev.ron.bench.side.Server;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The proxies of the run on one core, the backend they protect, and the office whose tokens ours reads. */
final class Fronts implements AutoCloseable {
    static final int BACKEND = 28_760;
    static final int RON = 28_770;
    private static final int OFFICE = 28_761;
    private static final int NGINX = 28_762;
    private static final int HAPROXY = 28_763;
    private static final int CORE = 0;

    private final Path work;
    private final EventLoops loops = new EventLoops("backend", 1);
    private final Backend backend = new Backend(loops, BACKEND);
    private final HttpHost keys;
    private final List<Server> servers;

    Fronts(Path work, Office office) throws IOException, InterruptedException {
        this.work = work;
        this.keys = issuer(office);
        this.servers = List.of(
                Server.nginxProxy(CORE, NGINX, work.resolve("nginx"), BACKEND),
                Server.haproxy(CORE, HAPROXY, work, BACKEND, "maxconn " + Backend.WORKERS),
                Server.start("ron", CORE, RON, work.resolve("ron.log"), Java.node("gateway", config())));
    }

    /** Ports by name, ours first. */
    Map<String, Integer> ports() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("ron", RON);
        ports.put("nginx", NGINX);
        ports.put("haproxy", HAPROXY);
        return ports;
    }

    /** What one flood left behind must not be held against the next. */
    void awaitIdle() throws InterruptedException {
        for (int i = 0; i < 1200 && !backend.idle(); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private HttpHost issuer(Office office) {
        HostParts parts = HostParts.of("office", 64);
        Kernel kernel = new Kernel(
                Topology.of("office", "Signs tokens.", parts.request(), parts.decode()),
                Clock.system(),
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        HostConfig config = HostConfig.DEFAULTS;
        Routes routes = new Routes(config);
        office.addTo(routes);
        return HttpHost.builder(kernel, loops, parts).config(config).bind("127.0.0.1", OFFICE, routes.build());
    }

    private Path config() throws IOException {
        return Files.writeString(
                work.resolve("ron.toml"), """
                [node]
                profile = "micro"
                port_base = %d
                services = ["gateway"]
                [node.log]
                level = "warn"
                [gateway]
                request_timeout = "20s"
                [gateway.auth]
                keys_url = "http://127.0.0.1:%d"
                issuer = "%s"
                [gateway.drr]
                tenant_quanta = { w1 = 1, w2 = 2, w4 = 4 }
                [gateway.routes.fast]
                path = "/fast"
                upstream = "fast"
                auth = "required"
                [gateway.routes.slow]
                path = "/**"
                methods = ["GET", "POST"]
                upstream = "slow"
                auth = "required"
                stream_idle = "30s"
                [gateway.upstreams.slow]
                max_inflight = %d
                targets = [ { url = "http://127.0.0.1:%d" } ]
                [gateway.upstreams.fast]
                targets = [ { url = "http://127.0.0.1:%d" } ]
                """.formatted(RON, OFFICE, Office.ISS, Backend.WORKERS, BACKEND, BACKEND));
    }

    @Override
    public void close() {
        servers.forEach(Server::close);
        keys.close();
        backend.close();
        loops.close();
    }
}
