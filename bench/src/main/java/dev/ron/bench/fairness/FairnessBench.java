package dev.ron.bench.fairness;

import dev.ron.bench.fairness.Flood.Kind;
import dev.ron.bench.side.Machine;
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
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code ron bench fairness}: tenant A sends 100 requests a second, tenant B floods in every way there is, and what counts
 * is what A notices; ours beside nginx and HAProxy, in front of the same backend of 8 x 5 ms.
 */
public final class FairnessBench {
    private static final int BACKEND = 28_760;
    private static final int OFFICE = 28_761;
    private static final int NGINX = 28_762;
    private static final int HAPROXY = 28_763;
    private static final int RON = 28_770;
    private static final int PROXY_CORE = 0;
    private static final int LOAD_CORE = 1;
    private static final int PER_SECOND = 100;
    private static final int CONNECTIONS = 200;
    private static final int CAPACITY = Backend.WORKERS * 200;

    private final boolean quick;
    private final Path work;
    private final EventLoops loops = new EventLoops("load", 1);
    private final EventLoop loop = (EventLoop) loops.group().iterator().next();
    private final Class<? extends Channel> type = loops.clientChannel();
    private final Office office = new Office();
    private boolean good = true;

    private FairnessBench(boolean quick, Path work) {
        this.quick = quick;
        this.work = work;
    }

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        Path chart = Path.of(flags.contains("--chart") ? flags.get(flags.indexOf("--chart") + 1) : "docs/fairness.svg");
        boolean good = new FairnessBench(flags.contains("--quick"), Files.createTempDirectory("ron-fair")).run(chart);
        System.exit(!good && flags.contains("--gate") ? 1 : 0);
    }

    /** The load and the backend stay away from the proxies' core. */
    private static void pinSelf() throws IOException, InterruptedException {
        String pid = String.valueOf(ProcessHandle.current().pid());
        new ProcessBuilder("taskset", "-a", "-cp", String.valueOf(LOAD_CORE), pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private boolean run(Path chart) throws IOException, InterruptedException {
        pinSelf();
        try (Backend backend = new Backend(new EventLoops("backend", 1), BACKEND);
                HttpHost keys = issuer();
                Server nginx = nginx();
                Server haproxy = haproxy();
                Server ron = Server.start("ron", PROXY_CORE, RON, work.resolve("ron.log"), ron())) {
            System.out.println(Machine.describe());
            System.out.println("proxies on core " + PROXY_CORE + ", load and backend (8 workers of 5 ms) on core "
                    + LOAD_CORE + "; keys at " + keys.port() + ", backend at " + BACKEND + "\n");
            Map<String, Integer> fronts = new LinkedHashMap<>();
            fronts.put("ron", RON);
            fronts.put("nginx", NGINX);
            fronts.put("haproxy", HAPROXY);
            warmUp();
            Map<String, Map<String, Paced.Result>> seen = floods(fronts);
            shares();
            tenants();
            Files.createDirectories(chart.toAbsolutePath().getParent());
            Files.writeString(chart, Chart.of(seen));
            System.out.println("chart: " + chart + ", logs: " + work + " " + nginx.name() + " " + haproxy.name() + " "
                    + ron.name());
        } finally {
            loops.close();
        }
        System.out.println(good ? "all musts reached" : "NOT all musts reached");
        return good;
    }

    private void warmUp() {
        String a = bearer(office.token("a"));
        try (Flood flood = new Flood(Kind.PLAIN, type, loop, RON, () -> a).start(64)) {
            new Paced(type, loop, RON, get(a)).run(PER_SECOND, 0, quick ? 5 : 20);
            System.out.println("warmed with " + flood.good() + " requests");
        }
    }

    private Map<String, Map<String, Paced.Result>> floods(Map<String, Integer> fronts) {
        Map<String, Map<String, Paced.Result>> seen = new LinkedHashMap<>();
        Map<String, Double> alone = new LinkedHashMap<>();
        System.out.printf(
                Locale.ROOT,
                "%-16s %-8s %10s %10s %8s %14s%n",
                "flood",
                "proxy",
                "A p50 ms",
                "A p99 ms",
                "refused",
                "B answered/s");
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.remove(Kind.FAST);
        for (int i = -1; i < kinds.size(); i++) {
            String name = i < 0 ? "none" : kinds.get(i).words();
            for (Map.Entry<String, Integer> front : fronts.entrySet()) {
                Kind kind = i < 0 ? null : kinds.get(i);
                if (kind == Kind.FRESH_TOKENS && !front.getKey().equals("ron")) {
                    continue; // the others know no tokens
                }
                measure(name, front.getKey(), front.getValue(), kind, seen, alone);
            }
        }
        return seen;
    }

    private void measure(
            String name,
            String proxy,
            int port,
            @org.jspecify.annotations.Nullable Kind kind,
            Map<String, Map<String, Paced.Result>> seen,
            Map<String, Double> alone) {
        String a = bearer(office.token("a"));
        double seconds = quick ? 4 : 10;
        double rate = 0;
        Paced.Result result;
        if (kind == null) {
            result = new Paced(type, loop, port, get(a)).run(PER_SECOND, 1, seconds);
        } else {
            // A is known before the flood begins, as a tenant at work is.
            new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, 0.5);
            try (Flood flood = new Flood(kind, type, loop, port, fields(kind)).start(CONNECTIONS)) {
                new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, quick ? 2 : 6);
                long before = flood.good();
                result = new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, seconds);
                rate = (flood.good() - before) / seconds;
            }
        }
        seen.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(proxy, result);
        double p99 = result.millis(0.99);
        System.out.printf(
                Locale.ROOT,
                "%-16s %-8s %10.1f %10.1f %8d %14.0f%n",
                name,
                proxy,
                result.millis(0.5),
                p99,
                result.refused(),
                rate);
        if (!proxy.equals("ron")) {
            return;
        }
        if (kind == null) {
            alone.put(proxy, p99);
            return;
        }
        double most = 2 * alone.getOrDefault(proxy, 0.0) + 5;
        must(result.refused() == 0, name + ": A was refused " + result.refused() + " times (must: 0)");
        must(p99 <= most, String.format(Locale.ROOT, "%s: A's p99 is %.1f ms (must: <= %.1f)", name, p99, most));
        if (kind == Kind.PLAIN) {
            double rest = 0.9 * (CAPACITY - PER_SECOND);
            must(rate >= rest, String.format(Locale.ROOT, "%s: B gets %.0f/s (must: >= %.0f)", name, rate, rest));
        }
    }

    private Supplier<String> fields(Kind kind) {
        String token = office.token("b");
        if (kind != Kind.FRESH_TOKENS) {
            String bearer = bearer(token);
            return () -> bearer;
        }
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            made.add(bearer(office.attenuated(token)));
        }
        int[] next = new int[1];
        return () -> made.get(next[0]++ % made.size());
    }

    /** Three tenants of 1:2:4 that always have someone waiting. */
    private void shares() throws IOException, InterruptedException {
        List<Flood> floods = new ArrayList<>();
        Map<String, Integer> weights = new LinkedHashMap<>(Map.of("w1", 1, "w2", 2, "w4", 4));
        for (String tenant : weights.keySet()) {
            String bearer = bearer(office.token(tenant));
            floods.add(new Flood(Kind.PLAIN, type, loop, RON, () -> bearer).start(100));
        }
        Map<String, Long> before = used(3);
        Map<String, Long> after = used(quick ? 6 : 20);
        floods.forEach(Flood::close);
        double sum = weights.keySet().stream()
                .mapToLong(t -> after.getOrDefault(t, 0L) - before.getOrDefault(t, 0L))
                .sum();
        for (Map.Entry<String, Integer> one : weights.entrySet()) {
            double share = (after.getOrDefault(one.getKey(), 0L) - before.getOrDefault(one.getKey(), 0L)) / sum;
            double ideal = one.getValue() / 7.0;
            double off = Math.abs(share - ideal) / ideal;
            must(
                    off <= 0.02,
                    String.format(
                            Locale.ROOT,
                            "quantum %d: %.2f %% of the slot time (ideal %.2f %%, off by %.1f %%)",
                            one.getValue(),
                            share * 100,
                            ideal * 100,
                            off * 100));
        }
    }

    /** Slot time used so far by each tenant, after so many seconds. */
    private Map<String, Long> used(int seconds) throws IOException, InterruptedException {
        java.util.concurrent.TimeUnit.SECONDS.sleep(seconds);
        return Ops.usedMicros(RON + 5, "slow");
    }

    /** Eight tenants over as many connections as one, on a path that costs the backend nothing. */
    private void tenants() {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < (quick ? 1 : 3); round++) {
            double one = rate(1);
            double eight = rate(8);
            ratios.add(eight / one);
        }
        ratios.sort(null);
        double median = ratios.get(ratios.size() / 2);
        must(
                median >= 0.9,
                String.format(Locale.ROOT, "8 tenants get %.2f of the rate of one (must: >= 0.90)", median));
    }

    private double rate(int tenants) {
        List<Flood> floods = new ArrayList<>();
        for (int i = 0; i < tenants; i++) {
            String bearer = bearer(office.token("t" + tenants + "-" + i));
            floods.add(new Flood(Kind.FAST, type, loop, RON, () -> bearer).start(64 / tenants));
        }
        double seconds = quick ? 3 : 8;
        new Paced(type, loop, BACKEND, get("")).run(1, 0, 2);
        long before = floods.stream().mapToLong(Flood::good).sum();
        new Paced(type, loop, BACKEND, get("")).run(1, 0, seconds);
        long after = floods.stream().mapToLong(Flood::good).sum();
        floods.forEach(Flood::close);
        return (after - before) / seconds;
    }

    private void must(boolean reached, String what) {
        good &= reached;
        System.out.println("  " + (reached ? "reached: " : "NOT REACHED: ") + what);
    }

    private static byte[] get(String fields) {
        return Wire.ascii("GET /slow HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n");
    }

    private static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    private HttpHost issuer() {
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

    private Server nginx() throws IOException, InterruptedException {
        return Server.nginx("nginx", PROXY_CORE, NGINX, work.resolve("nginx"), """
                upstream backend { server 127.0.0.1:%d; keepalive 64; keepalive_requests 100000000; }
                server {
                  listen 127.0.0.1:%d;
                  location / {
                    proxy_pass http://backend;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_read_timeout 60s;
                  }
                }
                """.formatted(BACKEND, NGINX));
    }

    private Server haproxy() throws IOException, InterruptedException {
        Path config = Files.writeString(work.resolve("haproxy.cfg"), """
                global
                  nbthread 1
                  maxconn 4096
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 60s
                  timeout server 60s
                  timeout queue 60s
                  http-reuse always
                frontend front
                  bind 127.0.0.1:%d
                  default_backend back
                backend back
                  server one 127.0.0.1:%d maxconn 8
                """.formatted(HAPROXY, BACKEND));
        return Server.start(
                "haproxy",
                PROXY_CORE,
                HAPROXY,
                work.resolve("haproxy.log"),
                List.of("haproxy", "-db", "-f", config.toString()));
    }

    private List<String> ron() throws IOException {
        Path config = Files.writeString(
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
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(System.getProperty("ron.bench.jvm", "-XX:+UseSerialGC -Xms256m -Xmx256m")
                .split(" +")));
        command.addAll(List.of(
                "-XX:ActiveProcessorCount=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dcom.amazon.corretto.crypto.provider.useExternalLib=true",
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-Dio.netty.leakDetectionLevel=disabled",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.ron.node.Main",
                "up",
                "--services",
                "gateway",
                "--config",
                config.toString()));
        return command;
    }
}
