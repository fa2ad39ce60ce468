package dev.ron.http.bench;

import dev.ron.http.guard.InflightGuard;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Response;
import dev.ron.http.server.AccessLog;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.HttpMeter;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** Serves 100 bytes with every guard on: {@code /loop} from the event loop, {@code /thread} from a virtual thread. */
public final class PlainServer {
    private static final String BODY = "x".repeat(99) + "\n";

    private PlainServer() {}

    public static void main(String[] args) throws InterruptedException {
        int port = Integer.parseInt(args[0]);
        int loopCount = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        HostParts parts = HostParts.of("http", 512);
        Topology topology = new Topology("bench", "the host alone", parts.parts());
        Kernel kernel = new Kernel(topology, Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
        EventLoops loops = new EventLoops("bytes", loopCount);
        HostConfig config = HostConfig.DEFAULTS.withConns(1024, 1024).withHosts(Set.of("127.0.0.1", "localhost"));
        Routes routes = new Routes(
                config,
                new InflightGuard(kernel.permits(parts.inflight(), 512)),
                new RateGuard(new TokenBucket(Clock.system(), 10_000_000, 10_000_000), "bench.rps"));
        routes.get("/loop", (StreamHandler) exchange -> exchange.respond(Response.text(BODY)))
                .get("/thread", (BlockingHandler) request -> Response.text(BODY));
        HttpHost host = HttpHost.builder(kernel, loops, parts)
                .config(config)
                .meter((method, route) -> new Adders())
                .accessLog(new OneInAThousand())
                .bind("127.0.0.1", port, routes.build());
        System.out.println("listening on " + host.port());
        new CountDownLatch(1).await();
    }

    /** Counts about as dearly as Prometheus does. */
    private static final class Adders implements HttpMeter.RouteMeter {
        private final LongAdder[] statuses = adders(6);
        private final LongAdder[] buckets = adders(64);
        private final LongAdder sum = new LongAdder();
        private final LongAdder in = new LongAdder();
        private final LongAdder out = new LongAdder();

        private static LongAdder[] adders(int count) {
            LongAdder[] all = new LongAdder[count];
            for (int i = 0; i < count; i++) {
                all[i] = new LongAdder();
            }
            return all;
        }

        @Override
        public void answered(int status, long nanos, long bytesIn, long bytesOut) {
            statuses[status / 100].increment();
            buckets[64 - Long.numberOfLeadingZeros(nanos | 1)].increment();
            sum.add(nanos);
            in.add(bytesIn);
            out.add(bytesOut);
        }
    }

    private static final class OneInAThousand implements AccessLog {
        private final LongAdder entries = new LongAdder();
        private int turn;

        @Override
        public boolean wants(int status) {
            return ++turn % 1000 == 0;
        }

        @Override
        public void log(Entry entry) {
            entries.increment();
        }
    }
}
