package dev.ron.admin;

import dev.ron.admin.action.ActionDesk;
import dev.ron.admin.action.AuditEntry;
import dev.ron.admin.action.AuditLog;
import dev.ron.admin.action.Memory;
import dev.ron.admin.api.AdminApi;
import dev.ron.admin.api.SignInThrottle;
import dev.ron.admin.auth.Authenticator;
import dev.ron.admin.auth.Csrf;
import dev.ron.admin.auth.IngressAuth;
import dev.ron.admin.auth.KeyRefresher;
import dev.ron.admin.auth.NoAuth;
import dev.ron.admin.auth.Origins;
import dev.ron.admin.auth.PassportAuth;
import dev.ron.admin.auth.Roles;
import dev.ron.admin.live.EventHub;
import dev.ron.admin.live.FleetDocument;
import dev.ron.admin.live.Streams;
import dev.ron.admin.sample.AllowedNodes;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.FleetEvent;
import dev.ron.admin.sample.HttpNodeCaller;
import dev.ron.admin.sample.NodeCaller;
import dev.ron.admin.sample.NodeTarget;
import dev.ron.admin.sample.Prober;
import dev.ron.admin.sample.Refreshes;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.view.AuditRecord;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.SystemAddresses;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.client.Outbound;
import dev.ron.service.config.Secret;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.keys.JwksPlace;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.reload.ReloadReport;
import dev.ron.service.status.BuildInfo;
import dev.ron.service.status.Plane;
import dev.ron.service.tls.ServiceTls;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Tenants;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The console on port N+4: {@link #start} is its runtime, part by part. */
public final class AdminService implements RonService {
    private static final Logger LOG = LoggerFactory.getLogger(AdminService.class);

    private final EventLoops loops;
    private final EventLoops outbound;
    private final Setup setup;
    private final Function<NodeCaller, NodeCaller> calls;
    private @Nullable Running running;

    private record Running(HttpHost host, Fleet fleet, ConsoleHealth health) {}

    /**
     * @param loops carry the listener
     * @param outbound carries the calls to nodes, whose answers are parsed on it
     */
    public AdminService(EventLoops loops, EventLoops outbound, Setup setup) {
        this(loops, outbound, setup, calls -> calls);
    }

    AdminService(EventLoops loops, EventLoops outbound, Setup setup, Function<NodeCaller, NodeCaller> calls) {
        this.loops = loops;
        this.outbound = outbound;
        this.setup = setup;
        this.calls = calls;
    }

    @Override
    public String name() {
        return "admin";
    }

    @Override
    public String metricPrefix() {
        return "svc_admin_";
    }

    @Override
    public Topology topology() {
        return AdminTopology.TOPOLOGY;
    }

    @Override
    public void start(ServiceContext context) throws Exception {
        Kernel kernel = context.kernel();
        Clock clock = context.clock();
        Supplier<AdminConfig> config = () -> context.config(AdminConfig.class);
        AdminConfig first = config.get();
        requireLoopback(first);
        AdminMetrics metrics = new AdminMetrics(context.metrics(), () -> perNode(config.get()));

        // calls to nodes
        SystemAddresses names = new SystemAddresses(kernel.lane(AdminTopology.NAMES));
        HttpClient client = client(context, first, names);
        NodeCaller caller = calls.apply(new HttpNodeCaller(client, clock));

        // the fleet and its samplers
        Broadcast<FleetEvent> events = kernel.broadcast(AdminTopology.EVENTS);
        kernel.guarded(AdminTopology.METRICS_LOCK, "every node's ring has a lock of this rank");
        Fleet fleet = Fleet.of(
                state -> kernel.guarded(AdminTopology.CONFIG_LOCK, state),
                Fleet.parts(
                        caller,
                        clock,
                        config,
                        kernel.permits(AdminTopology.SCRAPES, first.polling().maxConcurrent()),
                        events,
                        metrics),
                kernel.kind(AdminTopology.SAMPLER),
                AdminTopology.METRICS_LOCK,
                now -> setup.opsUrl()
                        .map(url -> NodeTarget.self(url, setup.operator(), now.polling(), setup.approveFlags())));
        Watch.Writer<Optional<ReloadReport>> reload = kernel.watch(AdminTopology.RELOAD, Optional.empty());
        ConfigWatcher watcher = new ConfigWatcher(reload, fleet, context.configs(), metrics);
        context.onReload(watcher);
        Mailbox<String> commands = kernel.mailbox(AdminTopology.METRICS_CMD, (id, cause) -> {});
        Refreshes refreshes = new Refreshes(commands, fleet, clock);
        kernel.spawn(AdminTopology.DISPATCH, refreshes::run);

        // who asks
        Origins origins = new Origins(first.publicOrigin());
        Csrf csrf = new Csrf(origins, clock, new SecureRandom());
        Optional<KeyRefresher> keys = refresher(kernel, context, first, names, metrics, events);
        Authenticator authenticator = authenticator(kernel, context, first, names, origins, keys);

        // actions and their log
        Mailbox<Ask<AuditEntry, AuditRecord>> auditIn = kernel.mailbox(AdminTopology.AUDIT_IN, (ask, cause) -> {});
        AuditLog audit = AuditLog.open(
                setup.data(), first.audit().maxBytes().count(), first.audit().keep(), auditIn, clock, metrics, events);
        kernel.spawn(AdminTopology.AUDIT, audit::run);
        Guarded<Memory> memory = kernel.guarded(AdminTopology.EPHEMERAL_LOCK, new Memory());
        Guarded<SignInThrottle> throttle = new Guarded<>(AdminTopology.EPHEMERAL_LOCK, new SignInThrottle());
        ActionDesk desk = new ActionDesk(fleet, caller, audit, memory, config, metrics, clock);

        // what browsers see
        Rows rows = new Rows(config, clock);
        FleetDocument document = new FleetDocument(
                fleet, rows, clock, () -> context.configs().value().version());
        Streams streams = new Streams(
                kernel.permits(AdminTopology.STREAMS, first.events().maxStreams()),
                first.events().ssePerSubject(),
                clock,
                kernel.meter(),
                document::version,
                () -> context.configs().value().version());
        kernel.spawn(AdminTopology.EVENT_HUB, new EventHub(fleet, rows, document, streams, metrics)::run);
        ConsoleHealth health = new ConsoleHealth(
                context,
                fleet,
                rows,
                streams,
                keys,
                authenticator,
                BuildInfo.load().version());
        watcher.apply();
        kernel.spawn(AdminTopology.CONFIG_WATCHER, watcher::run);

        // the listener
        AdminApi api = new AdminApi(new AdminApi.Parts(
                config,
                fleet,
                rows,
                document,
                new Prober(caller, clock),
                refreshes,
                authenticator,
                csrf,
                throttle,
                streams,
                kernel.kind(AdminTopology.STREAM),
                desk,
                audit,
                health::view,
                setup.reload(),
                metrics,
                clock,
                BuildInfo.load().version()));
        HostConfig limits = limits(first);
        Routes routes = api.routes(limits, kernel.permits(AdminTopology.HOST.inflight(), first.inflight()));
        context.addProbes(routes);
        HttpHost host = HttpHost.builder(kernel, loops, AdminTopology.HOST)
                .config(limits)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(clock))
                .tls(ServiceTls.of(
                        context, all -> all.section(AdminConfig.class).tls()))
                .bind(setup.bind(), setup.port(), routes.build());
        host.attach(context.shutdown());
        context.listensAt(setup.bind() + ":" + host.port());
        HttpMetrics.inflight(context.metrics(), host::inflight);
        health.bind();
        running = new Running(host, fleet, health);
    }

    private void requireLoopback(AdminConfig config) {
        if (config.auth().mode() != AuthConfig.Mode.NONE) {
            return;
        }
        try {
            if (!InetAddress.getByName(setup.bind()).isLoopbackAddress()) {
                throw new RonException(
                        Code.BAD_REQUEST,
                        "public_bind",
                        "admin.auth.mode: none on " + setup.bind() + " (expected: loopback, or ingress or passport)");
            }
        } catch (UnknownHostException e) {
            throw new RonException(
                    Code.BAD_REQUEST, "public_bind", "bind: " + setup.bind() + " is no address", null, e);
        }
        LOG.warn("SECURITY_WARNING: admin.auth.mode is none: whoever uses this machine uses the console");
    }

    private static boolean perNode(AdminConfig config) {
        return switch (config.metrics().perNode()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> config.nodes().size() <= 200;
        };
    }

    private HttpClient client(ServiceContext context, AdminConfig config, SystemAddresses names) {
        AdminConfig.Upstream upstream = config.upstream();
        ClientOptions options = new ClientOptions(
                4, 6000, upstream.connectTimeout(), Duration.ofSeconds(60), Duration.ofSeconds(90), 16 << 10, 100, (int)
                        config.metrics().maxBodyBytes().count());
        return Outbound.open(
                context,
                Stage.WATCHERS,
                outbound,
                new AllowedNodes(names, Networks.of(upstream.denyCidrs()), Networks.of(upstream.allowCidrs())),
                ClientTls.publicRoots(),
                options,
                Meter.none());
    }

    /** The issuer to ask: the configured one, else the passport office of this process. */
    private Optional<IssuerSource> issuer(AuthConfig auth) {
        Optional<URI> configured = auth.jwksUrl().or(auth::passportBaseUrl);
        if (configured.isPresent()) {
            String base = configured.get().toString().replaceFirst("/$", "");
            String iss = auth.issuer().isEmpty() ? base : auth.issuer();
            return Optional.of(new IssuerSource(iss, base, () -> auth.feedKey().map(AdminService::text), Tenants.ALL));
        }
        Optional<IssuerSource> own = setup.issuer().get();
        boolean foreign = !auth.issuer().isEmpty()
                && own.filter(office -> office.iss().equals(auth.issuer())).isEmpty();
        return foreign
                ? Optional.of(new IssuerSource(auth.issuer(), auth.issuer(), Optional::empty, Tenants.ALL))
                : own;
    }

    private static String text(Secret key) {
        return key.use(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
    }

    /** Where that issuer's keys are; one that is no passport office is asked. */
    private JwksPlace keys(AuthConfig auth, IssuerSource source) {
        boolean office = auth.passportBaseUrl().isPresent()
                || setup.issuer()
                        .get()
                        .filter(own -> own.iss().equals(source.iss()))
                        .isPresent();
        return new JwksPlace(
                source.iss(),
                office && auth.jwksUrl().isEmpty()
                        ? Optional.of(URI.create(source.base() + "/.well-known/jwks.json"))
                        : auth.jwksUrl());
    }

    private Optional<KeyRefresher> refresher(
            Kernel kernel,
            ServiceContext context,
            AdminConfig config,
            SystemAddresses names,
            AdminMetrics metrics,
            Broadcast<FleetEvent> events) {
        Mailbox<String> wishes = kernel.mailbox(AdminTopology.AUTH_REFRESH, (why, cause) -> {});
        Guarded<KeyRefresher.Spacing> spacing = kernel.guarded(AdminTopology.AUTH_LOCK, new KeyRefresher.Spacing());
        if (config.auth().mode() != AuthConfig.Mode.PASSPORT) {
            kernel.spawn(AdminTopology.AUTH_REFRESHER, scope -> scope.awaitStop(Deadline.never(scope.clock())));
            return Optional.empty();
        }
        IssuerSource source = issuer(config.auth())
                .orElseThrow(() -> new RonException(
                        Code.BAD_REQUEST,
                        "no_issuer",
                        "admin.auth.mode: passport without an issuer (set admin.auth.passport_base_url)"));
        if (config.auth().passportBaseUrl().isPresent()
                && config.auth().feedKey().isEmpty()) {
            LOG.warn("SECURITY_WARNING: admin.auth.feed_key is not set: revoked tokens stay good until they expire");
        }
        KeyRefresher refresher = new KeyRefresher(
                keys(config.auth(), source),
                issuerClient(context, names, source),
                config.auth(),
                wishes,
                spacing,
                context.clock(),
                metrics,
                events);
        kernel.spawn(AdminTopology.AUTH_REFRESHER, refresher::run);
        return Optional.of(refresher);
    }

    private HttpClient issuerClient(ServiceContext context, SystemAddresses names, IssuerSource source) {
        return Outbound.open(
                context,
                Stage.WATCHERS,
                outbound,
                names,
                source.tls(),
                ClientOptions.defaults()
                        .withTotalLimit(Duration.ofSeconds(10))
                        .withMaxBodyBytes(RevocationFeed.MAX_BYTES),
                Meter.none());
    }

    private Authenticator authenticator(
            Kernel kernel,
            ServiceContext context,
            AdminConfig config,
            SystemAddresses names,
            Origins origins,
            Optional<KeyRefresher> keys) {
        Roles roles = new Roles(() -> context.config(AdminConfig.class).auth().roleMap());
        Optional<IssuerSource> source = keys.isEmpty() ? Optional.empty() : issuer(config.auth());
        Optional<IssuerKeys> feed = source.filter(s -> s.credential().get().isPresent())
                .map(s -> new IssuerKeys(s, issuerClient(context, names, s), context.clock(), kernel.meter()));
        kernel.spawn(AdminTopology.FOLLOWER, scope -> {
            if (feed.isPresent()) {
                feed.get().run(scope);
            } else {
                scope.awaitStop(Deadline.never(scope.clock()));
            }
        });
        return switch (config.auth().mode()) {
            case NONE -> new NoAuth(origins);
            case INGRESS -> {
                LOG.warn(
                        "the ingress must delete {} and {} where a client sends them",
                        config.auth().ingress().headerUser(),
                        config.auth().ingress().headerGroups());
                yield new IngressAuth(config.auth().ingress(), roles);
            }
            case PASSPORT ->
                new PassportAuth(
                        source.orElseThrow().iss(), config.auth(), roles, keys.orElseThrow(), feed, context.clock());
        };
    }

    private static HostConfig limits(AdminConfig config) {
        HostConfig defaults = HostConfig.DEFAULTS;
        HostConfig.Timeouts pace = defaults.timeouts();
        return defaults.withConns(config.maxConns(), config.maxConns())
                .withBody(new HostConfig.BodyLimits(1 << 20, 10, 1 << 20))
                .withRequestTimeout(config.requestDeadline())
                .withTimeouts(new HostConfig.Timeouts(
                        config.readTimeout(),
                        config.writeTimeout(),
                        config.idleTimeout(),
                        pace.handshake(),
                        pace.minBytesPerSecond(),
                        pace.paceAfter()));
    }

    @Override
    public List<Plane> planes() {
        return running == null ? List.of() : running.health().planes();
    }

    @Override
    public Map<String, Object> statusData() {
        return running == null ? Map.of() : running.health().statusData();
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return running == null ? 0 : running.host().port();
    }

    /** Requests in hand. */
    public int inflight() {
        return running == null ? 0 : running.host().inflight();
    }
}
