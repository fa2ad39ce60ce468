package dev.ron.gateway;

import dev.ron.gateway.auth.ColdCase;
import dev.ron.gateway.auth.ColdChecks;
import dev.ron.gateway.auth.Door;
import dev.ron.gateway.auth.TrustedIssuers;
import dev.ron.gateway.auth.Verifier;
import dev.ron.gateway.coding.CodingLane;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.Networks;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.proxy.ProxyParts;
import dev.ron.gateway.proxy.Shared;
import dev.ron.gateway.proxy.Workers;
import dev.ron.gateway.upstream.AllowedAddresses;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.gateway.upstream.Yard;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.SystemAddresses;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.route.Router;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Route;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.tls.ServiceTls;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** svc-gateway; {@link #start} is its whole runtime: issuers, upstreams and their arbiters, the proxy, the listener. */
public final class GatewayService implements RonService {
    private final EventLoops loops;
    private final String bind;
    private final int port;
    private final UnaryOperator<GatewayConfig> adjust;
    private final Supplier<Optional<IssuerSource>> office;
    private @Nullable HttpHost host;
    private @Nullable GatewayViews views;
    private Runnable chaos = () -> {};

    /**
     * @param adjust adds to the configuration what only the process knows, such as the demo's routes
     * @param office the passport office of the same process; asked once, at the start
     */
    public GatewayService(
            EventLoops loops,
            String bind,
            int port,
            UnaryOperator<GatewayConfig> adjust,
            Supplier<Optional<IssuerSource>> office) {
        this.loops = loops;
        this.bind = bind;
        this.port = port;
        this.adjust = adjust;
        this.office = office;
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public Topology topology() {
        return GatewayTopology.TOPOLOGY;
    }

    @Override
    public void start(ServiceContext context) {
        GatewayConfig config = adjust.apply(context.config(GatewayConfig.class));
        Kernel kernel = context.kernel();
        Addresses system = new SystemAddresses(kernel.lane(GatewayTopology.NAMES));

        // Who may come in.
        TrustedIssuers issuers = Issuers.start(config.auth(), office.get(), loops, system, context);
        Issuers.requireFor(config, issuers);
        Mailbox<ColdCase> coldBox = kernel.mailbox(GatewayTopology.COLD, (one, cause) -> one.drained());
        ColdChecks cold = new ColdChecks(coldBox, context.clock());
        kernel.spawn(GatewayTopology.VERIFIER, cold::run);
        Networks trusted = new Networks(config.proxy().trustedCidrs());
        Door door = new Door(new Verifier(config.auth(), issuers), cold, trusted, context.clock());

        // Whose turn it is.
        Workers workers = new Workers(loops);
        workers.start(kernel.kind(GatewayTopology.WORKER));
        EventLog events = new EventLog(kernel.broadcast(GatewayTopology.EVENTS));
        kernel.spawn(GatewayTopology.EVENT_LOG, events::run);
        Yard yard = new Yard(
                new StreamClient(loops, Optional.empty()),
                new AllowedAddresses(system),
                loops,
                context.clock(),
                context.metrics(),
                kernel.kind(GatewayTopology.PROBE),
                events::watch);
        kernel.queue(GatewayTopology.WORK, yard::waiting);
        kernel.queue(GatewayTopology.SCHED, workers::inTransit);
        SchedulerPulse pulse = new SchedulerPulse(yard);
        kernel.spawn(GatewayTopology.SCHEDULER, pulse::run);
        chaos = () -> {
            workers.kill();
            pulse.kill();
        };
        context.stopWithProcess(new QueuesDrain(yard));

        // Where it goes.
        Shared shared = new Shared(
                context.clock(),
                context.metrics(),
                workers,
                door,
                new CodingLane(kernel.lane(GatewayTopology.CODING)),
                () -> !context.shutdown().running());
        Via via = via(config);
        Upstreams upstreams = yard.prepare(config, Upstreams.NONE, config);
        ProxyHandler proxy = new ProxyHandler(new ProxyParts(config, via, upstreams, shared));
        yard.adopt(config, upstreams, Upstreams.NONE);
        watch(context, shared, proxy, yard, events);
        views = new GatewayViews(proxy, shared.refusals(), context.clock());

        HttpHost started = listen(context, config, proxy);
        context.onReload(new Reconfigured(
                adjust,
                yard,
                via,
                shared,
                issuers,
                proxy,
                next -> started.reconfigure(HostLimits.of(next), routes(context, next, proxy))));
        host = started;
    }

    private HttpHost listen(ServiceContext context, GatewayConfig config, ProxyHandler proxy) {
        HttpHost started = HttpHost.builder(context.kernel(), loops, GatewayTopology.HOST)
                .config(HostLimits.of(config))
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(context.clock()))
                .tls(ServiceTls.of(
                        context, next -> next.section(GatewayConfig.class).tls()))
                .bind(bind, port, routes(context, config, proxy));
        started.attach(context.shutdown());
        HttpMetrics.inflight(context.metrics(), started::inflight);
        context.metrics().gauge("gateway_connections", "Open connections.", started::connections);
        context.listensAt(bind + ":" + started.port());
        return started;
    }

    private static Router<Route> routes(ServiceContext context, GatewayConfig config, ProxyHandler proxy) {
        HostConfig limits = HostLimits.of(config);
        Routes routes = new Routes(limits).add(RouteConfig.METHODS, "/**", proxy);
        context.addProbes(routes);
        return routes.build();
    }

    private static void watch(ServiceContext context, Shared shared, ProxyHandler proxy, Yard yard, EventLog events) {
        Kernel kernel = context.kernel();
        Mailbox<Sampler.Sample> ticks = kernel.mailbox(GatewayTopology.METRICS_TICK, (sample, cause) -> {});
        Sampler sampler = new Sampler(shared, proxy, yard, events, ticks, context.clock());
        kernel.spawn(GatewayTopology.SAMPLER, sampler::sample);
        kernel.spawn(GatewayTopology.PROBER, sampler::publish);
        new GatewayMetrics(proxy, sampler::latest).bind(context.metrics(), shared.accounts());
        context.metrics().gauge("gateway_streams_open", "Streams opened with a token.", shared.streams()::size);
        context.readiness().requireLive(() -> criticalUpstreams(proxy.parts().upstreams()));
    }

    /** Writes are refused where an upstream is in trouble; the instance as a whole only for those it cannot do without. */
    private static List<KeyState> criticalUpstreams(Upstreams all) {
        return all.all().stream()
                .filter(upstream -> upstream.config().critical())
                .map(GatewayService::key)
                .toList();
    }

    private static KeyState key(Upstream upstream) {
        boolean shed = upstream.shedding().on();
        return new KeyState(
                "upstream:" + upstream.id(),
                Need.WRITE,
                !shed,
                upstream.shedding().why());
    }

    private static Via via(GatewayConfig config) {
        String random =
                "ron-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return new Via(config.instance().isEmpty() ? random : config.instance());
    }

    @Override
    public Map<String, Object> statusData() {
        GatewayViews known = views;
        return known == null ? Map.of() : known.upstreams();
    }

    /** What operators are shown; empty before the start. */
    public Optional<GatewayViews> views() {
        return Optional.ofNullable(views);
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return host == null ? 0 : host.port();
    }

    /** Ends the workers and the scheduler as defects would. */
    void killWorkersAndScheduler() {
        chaos.run();
    }

    /** Requests in hand. */
    public int inflight() {
        return host == null ? 0 : host.inflight();
    }
}
