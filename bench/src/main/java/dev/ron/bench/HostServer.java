package dev.ron.bench;

import dev.ron.http.guard.InflightGuard;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Part;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.metrics.Metrics;
import dev.ron.service.metrics.ServiceMetrics;

/** The host with every guard on and real metrics, answering 100 bytes from the loop and from a virtual thread. */
public final class HostServer {
    static final String BODY = "0123456789".repeat(10);

    private HostServer() {}

    public static void main(String[] args) throws InterruptedException {
        int port = Integer.parseInt(args[0]);
        int loops = Integer.parseInt(args[1]);
        Clock clock = Clock.system();
        HostParts parts = HostParts.of("bench", 4096);
        ServiceMetrics metrics = new Metrics().service("bench");
        Kernel kernel = new Kernel(
                Topology.of("bench", "A host to measure.", parts.parts().toArray(Part[]::new)),
                clock,
                metrics,
                Backoff.Policy.DEFAULT,
                crash -> {});
        HostConfig config = HostConfig.DEFAULTS.withConns(8192, 8192);
        Response answer = Response.text(BODY);
        StreamHandler onLoop = exchange -> exchange.respond(answer);
        BlockingHandler blocking = request -> answer;
        Routes routes = new Routes(
                        config,
                        new InflightGuard(kernel.permits(parts.inflight(), 4096)),
                        new RateGuard(new TokenBucket(clock, 50_000_000, 50_000_000), "bench.rps"))
                .get("/loop", onLoop)
                .get("/blocking", blocking);
        HttpHost host = HttpHost.builder(kernel, new EventLoops("bench", loops), parts)
                .config(config)
                .meter(new HttpMetrics(metrics))
                .bind("127.0.0.1", port, routes.build());
        System.out.println("listening on " + host.port());
        Thread.currentThread().join();
    }
}
