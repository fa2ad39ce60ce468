package dev.ron.bench.admin;

import dev.ron.bench.side.Machine;
import dev.ron.bench.side.Scorecard;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Response;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Part;
import dev.ron.kernel.topology.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A thousand nodes of 60 KiB of metrics every 5 s: what the console's process takes of a core and of memory. */
public final class AdminBench {
    private static final int NODES = 1000;
    private static final double MAX_CORES = 0.5;
    private static final long MAX_RSS_MIB = 512;
    private static final int TICKS_PER_SECOND = 100;
    private static final String FRESH = "\"metrics\":\"fresh\"";

    private final AtomicLong scrapes = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();

    private AdminBench() {}

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        System.exit(new AdminBench().run(flags));
    }

    private int run(List<String> flags) throws IOException, InterruptedException {
        boolean quick = flags.contains("--quick");
        HttpHost nodes = nodes();
        Process console = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-Xmx384m",
                        "-Djava.library.path=" + System.getProperty("java.library.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dron.locks=count",
                        "-Dio.netty.leakDetectionLevel=disabled",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsoleServer.class.getName(),
                        Integer.toString(nodes.port()),
                        Integer.toString(NODES))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = console.inputReader(StandardCharsets.UTF_8)) {
            int port = port(out);
            Thread.sleep(Duration.ofSeconds(quick ? 20 : 60)); // warm
            return measure(console.pid(), port, quick ? 20 : 60, flags);
        } finally {
            console.destroyForcibly();
        }
    }

    private static int port(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("listening on ")) {
                return Integer.parseInt(line.substring("listening on ".length()));
            }
        }
        throw new IOException("the console did not start");
    }

    private int measure(long pid, int port, int seconds, List<String> flags) throws IOException, InterruptedException {
        long before = cpuTicks(pid);
        long scrapedBefore = scrapes.get();
        long calledBefore = calls.get();
        long started = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(seconds));
        double elapsed = (System.nanoTime() - started) / 1e9;
        double cores = (cpuTicks(pid) - before) / (TICKS_PER_SECOND * elapsed);
        double scraped = (scrapes.get() - scrapedBefore) / elapsed;
        double called = (calls.get() - calledBefore) / elapsed;
        double rss = Machine.residentMib(pid);
        String fleet = fleet(port);
        System.out.printf(
                "| nodes | scrapes/s | other calls/s | cores | ms of CPU per call | resident MiB | fresh rows |%n"
                        + "| --- | --- | --- | --- | --- | --- | --- |%n"
                        + "| %d | %.0f | %.0f | %.2f | %.2f | %.0f | %d |%n",
                NODES, scraped, called, cores, 1000 * cores / (scraped + called), rss, count(fleet, FRESH));
        return new Scorecard("admin", flags, "1,000 nodes of 60 KiB of metrics every 5 s over real sockets")
                .atMost("processor of the console", cores, "cores", MAX_CORES)
                .atMost("resident memory of the console", rss, "MiB", MAX_RSS_MIB)
                .atLeast("nodes shown as fresh", count(fleet, FRESH), "nodes", NODES)
                .finish();
    }

    private static long cpuTicks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static String fleet(int port) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + "/api/nodes");
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static int count(String text, String part) {
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
            count++;
        }
        return count;
    }

    /** All nodes behind one port; what they say is theirs by the address they are called at. */
    private HttpHost nodes() {
        HostParts parts = HostParts.of("nodes", 8192);
        Kernel kernel = new Kernel(
                Topology.of("nodes", "Nodes to watch.", parts.parts().toArray(Part[]::new)),
                Clock.system(),
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        HostConfig config = HostConfig.DEFAULTS.withConns(16_384, 16_384);
        StreamHandler metrics = exchange -> {
            long n = scrapes.incrementAndGet();
            exchange.respond(Response.bytes(200, "text/plain; version=0.0.4", page(n)));
        };
        Routes routes = new Routes(config, new InflightGuard(kernel.permits(parts.inflight(), 8192)))
                .get("/metrics", metrics)
                .get("/healthz", said("{\"ok\":true}"))
                .get("/readyz", said("{\"ready\":true,\"write_ready\":true,\"degraded\":false,\"missing\":[]}"))
                .get("/version", said("{\"service\":\"svc-gateway\",\"version\":\"1.0\"}"))
                .get(
                        "/api/v1/status",
                        said(
                                "{\"service\":\"svc-gateway\",\"ready\":true,\"phase\":\"running\",\"planes\":[{\"name\":\"gateway\","
                                        + "\"health\":\"healthy\",\"ready\":true,\"restart_count\":0}],\"capabilities\":[]}"));
        return HttpHost.builder(kernel, new EventLoops("nodes", 1), parts)
                .config(config)
                .bind("0.0.0.0", 0, routes.build());
    }

    private StreamHandler said(String json) {
        Response response = Response.json(200, json);
        return exchange -> {
            calls.incrementAndGet();
            exchange.respond(response);
        };
    }

    /** About 60 KiB: a fifth is of interest, as on a real node. */
    private static byte[] page(long n) {
        StringBuilder out = new StringBuilder(64 << 10);
        out.append("# TYPE http_requests_total counter\n");
        for (int route = 0; route < 20; route++) {
            for (String status : List.of("200", "404", "500")) {
                out.append("http_requests_total{service=\"gateway\",route=\"/r/")
                        .append(route);
                out.append("\",method=\"GET\",status=\"")
                        .append(status)
                        .append("\"} ")
                        .append(n * (route + 1))
                        .append('\n');
            }
        }
        for (String le : List.of("0.001", "0.005", "0.01", "0.05", "0.1", "0.5", "1.0", "5.0", "+Inf")) {
            out.append("request_latency_seconds_bucket{service=\"gateway\",route=\"/r/1\",method=\"GET\",le=\"");
            out.append(le).append("\"} ").append(n).append('\n');
        }
        for (int i = 0; out.length() < 60 << 10; i++) {
            out.append("some_other_family_")
                    .append(i % 40)
                    .append("{component=\"part-")
                    .append(i);
            out.append("\",state=\"idle\",area=\"somewhere\"} ")
                    .append(i * 17L + n)
                    .append('\n');
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
