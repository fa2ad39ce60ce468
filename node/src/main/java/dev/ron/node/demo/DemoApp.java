package dev.ron.node.demo;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Handler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.sse.SseEvent;
import dev.ron.http.sse.SseTopic;
import dev.ron.http.ws.WebSockets;
import dev.ron.http.ws.WsListener;
import dev.ron.http.ws.WsOptions;
import dev.ron.http.ws.WsSession;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.node.NodeConfig;
import dev.ron.service.client.Outbound;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.keys.TokenGate;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.trace.TracedHandler;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.RevocationFeed;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The demo application on port N+6: something to send requests to, behind the same host and guards as every service. */
public final class DemoApp implements RonService {
    private static final List<String> ANY = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private static final String AUDIENCE = "svc-demo";
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final EventLoops loops;
    private final String bind;
    private final int port;
    private final Supplier<Optional<IssuerSource>> issuer;
    private @Nullable HttpHost host;

    /** @param issuer whose tokens open {@code /guarded}; asked once, at the start */
    public DemoApp(EventLoops loops, String bind, int port, Supplier<Optional<IssuerSource>> issuer) {
        this.loops = loops;
        this.bind = bind;
        this.port = port;
        this.issuer = issuer;
    }

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public Topology topology() {
        return DemoTopology.TOPOLOGY;
    }

    @Override
    public void start(ServiceContext context) {
        NodeConfig.Demo limits = context.config(NodeConfig.class).demo();
        Kernel kernel = context.kernel();
        HostConfig defaults = HostConfig.DEFAULTS;
        HostConfig config = defaults.withConns(limits.maxConns(), limits.maxConns())
                .withBody(new HostConfig.BodyLimits(
                        limits.maxBodyBytes().count(),
                        defaults.body().maxDecodeRatio(),
                        defaults.body().maxDecodedBytes()));
        InflightGuard inflight = new InflightGuard(kernel.permits(DemoTopology.HOST.inflight(), limits.inflight()));
        DemoHandlers demo = new DemoHandlers(kernel.permits(DemoTopology.SLOW, 8), context.clock());

        SseTopic ticks = new SseTopic("sse", HEARTBEAT, kernel.meter());
        kernel.spawn(DemoTopology.TICKER, scope -> tick(scope, ticks));

        Routes routes = new Routes(config, inflight)
                .add(ANY, "/echo", traced(context, "echo", demo::echo))
                .get("/delay/{ms}", traced(context, "delay", demo::delay))
                .get("/bytes/{n}", onLoop(demo::bytes))
                .add(ANY, "/status/{code}", traced(context, "status", demo::status))
                .add(ANY, "/slow", traced(context, "slow", demo::slow))
                .add(ANY, "/guarded", traced(context, "guarded", new GuardedPath(gate(context))))
                .get("/sse", onLoop(ticks::subscribe))
                .get("/ws", WebSockets.handler(WsOptions.DEFAULTS, exchange -> new EchoSocket()));
        context.addProbes(routes);

        HttpHost started = HttpHost.builder(kernel, loops, DemoTopology.HOST)
                .config(config)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(context.clock()))
                .bind(bind, port, routes.build());
        started.attach(context.shutdown());
        HttpMetrics.inflight(context.metrics(), started::inflight);
        context.listensAt(bind + ":" + started.port());
        host = started;
    }

    /** The check in front of {@code /guarded}, fed by a task that follows the issuer; without an issuer nobody passes. */
    private TokenGate gate(ServiceContext context) {
        Optional<IssuerSource> source = issuer.get();
        if (source.isEmpty()) {
            context.kernel().spawn(IssuerKeys.TASK, scope -> scope.awaitStop(Deadline.never(scope.clock())));
            return new TokenGate(AUDIENCE, () -> KeyState.of(), context.clock());
        }
        HttpClient client = Outbound.open(
                context,
                Stage.WRITERS,
                loops,
                (host, at, deadline) -> List.of(new InetSocketAddress(host, at)),
                source.get().tls(),
                ClientOptions.defaults()
                        .withTotalLimit(Duration.ofSeconds(10))
                        .withMaxBodyBytes(RevocationFeed.MAX_BYTES),
                context.kernel().meter());
        IssuerKeys keys = new IssuerKeys(
                source.get(), client, context.clock(), context.kernel().meter());
        context.metrics().gauge("auth_feed_age_seconds", "How old the known revocations are.", keys::ageSeconds);
        context.kernel().spawn(IssuerKeys.TASK, keys::run);
        return new TokenGate(AUDIENCE, keys::state, context.clock());
    }

    private static void tick(TaskScope scope, SseTopic topic) {
        for (long n = 1; scope.sleep(Duration.ofSeconds(1)); n++) {
            topic.publish(
                    new SseEvent(Long.toString(n), "tick", scope.clock().now().toString()));
        }
    }

    /** Sends back whatever it gets. */
    private static final class EchoSocket implements WsListener {
        @Override
        public void text(WsSession session, String message) {
            session.send(message);
        }

        @Override
        public void binary(WsSession session, byte[] message) {
            session.send(message);
        }
    }

    private Handler traced(ServiceContext context, String operation, BlockingHandler handler) {
        return new TracedHandler(context.tracer(), name(), operation, handler);
    }

    private static Handler onLoop(StreamHandler handler) {
        return handler;
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return host == null ? 0 : host.port();
    }

    /** Requests in hand. */
    public int inflight() {
        return host == null ? 0 : host.inflight();
    }
}
