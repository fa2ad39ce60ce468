package dev.ron.node;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminService;
import dev.ron.edge.EdgeService;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.fill.PurgeEndpoint;
import dev.ron.gateway.GatewayService;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig.Auth;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.loop.InheritedListeners;
import dev.ron.http.server.Routes;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.node.data.DataFolder;
import dev.ron.node.data.OperatorToken;
import dev.ron.node.demo.DemoApp;
import dev.ron.node.demo.DemoRoutes;
import dev.ron.passport.PassportConfig;
import dev.ron.passport.PassportService;
import dev.ron.passport.Setup;
import dev.ron.passport.api.OperatorEndpoints;
import dev.ron.passport.api.PassportApi;
import dev.ron.passport.client.ApiKey;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.RegistryService;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Secret;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.log.Logs;
import dev.ron.service.ops.OperatorGuard;
import dev.ron.service.tls.TlsConfig;
import dev.ron.token.keys.Tenants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One process with everything in it; {@link #start} is the order of things. */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    private final NodeConfig config;
    private final Frame frame;
    private final Optional<DataFolder> data;
    private final OperatorToken operator;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private List<String> opsRoutes = List.of();
    private Optional<DemoApp> demoApp = Optional.empty();
    private Optional<PassportService> passport = Optional.empty();
    private Optional<RegistryService> registry = Optional.empty();
    private Optional<GatewayService> gateway = Optional.empty();
    private Optional<AdminService> console = Optional.empty();
    private Optional<EdgeService> edge = Optional.empty();

    private Node(NodeConfig config, Frame frame, Optional<DataFolder> data, OperatorToken operator) {
        this.config = config;
        this.frame = frame;
        this.data = data;
        this.operator = operator;
    }

    /** Data folder, frame, ops plane, services, demo; whatever fails undoes what was begun. */
    public static Node start(Config loaded, Supplier<ConfigResult> reload, boolean demo, Clock clock, Logs logs)
            throws Exception {
        NodeConfig config = loaded.section(NodeConfig.class);
        Optional<DataFolder> data = config.profile() == NodeConfig.Profile.MICRO
                ? Optional.empty()
                : Optional.of(DataFolder.open(config.data()));
        OperatorToken operator = data.isPresent() ? OperatorToken.in(data.get().root()) : OperatorToken.random();
        Optional<SpanExport> spans = config.trace().otlpEndpoint().map(endpoint -> new SpanExport(endpoint, clock));
        Frame frame = Frame.open(settings(config, spans), clock, loaded, reload, logs);
        spans.ifPresent(frame.shutdown()::register);
        Node node = new Node(config, frame, data, operator);
        try {
            node.run(demo);
            return node;
        } catch (Exception e) {
            // Why it failed is told by whoever asked; how the rest goes down is no news.
            logs.level("warn");
            node.close();
            throw e;
        }
    }

    private void run(boolean demo) throws Exception {
        Ports plan = new Ports(config.portBase());
        OpsPlane ops = new OpsPlane(frame, operator, LOOPBACK, plan.of("ops"), this::urls, this::addActions);
        ports.put("ops", ops.port());
        opsRoutes = ops.routes();
        EventLoops loops = new EventLoops("data", cores(), EventLoops.Transport.best(), frame.clock(), inherited());
        frame.shutdown().register(new LoopsDrain(loops));
        frame.watch(loops);

        if (!config.passport().isSafe()) {
            LOG.warn("SECURITY_WARNING: node.passport.url is plain http: who is on the way can sign tokens");
        }
        List<RonService> services = new ArrayList<>();
        if (NodeSections.runs(config, "passport")) {
            Optional<Path> folder = data.isPresent() ? Optional.of(data.get().of("passport")) : Optional.empty();
            Setup office = Setup.of(config.bind(), plan.of("passport"), folder, demo);
            // A demo shows a quorum deciding what is issued; elsewhere the registry to follow is configured.
            passport = Optional.of(new PassportService(
                    loops,
                    demo && runsRegistry(demo)
                            ? office.following(this::ownRegistry, certificates("registry"))
                            : office));
        }
        passport.ifPresent(services::add);
        if (runsRegistry(demo)) {
            registry = Optional.of(new RegistryService(loops, registrySetup(plan.of("registry"), demo)));
        }
        registry.ifPresent(services::add);
        if (NodeSections.runsDemoApp(demo, config)) {
            demoApp = Optional.of(new DemoApp(loops, config.bind(), plan.of("demo"), this::issuer));
        }
        demoApp.ifPresent(services::add);
        if (NodeSections.runs(config, "edge")) {
            edge = Optional.of(new EdgeService(loops, edgeSetup(plan, demo)));
        }
        edge.ifPresent(services::add);
        if (NodeSections.runs(config, "gateway")) {
            gateway = Optional.of(
                    new GatewayService(loops, config.bind(), plan.of("gateway"), this::withDemoRoutes, this::issuer));
        }
        gateway.ifPresent(services::add);
        if (NodeSections.runs(config, "admin")) {
            console = Optional.of(console(loops, plan.of("admin"), ops.port()));
        }
        console.ifPresent(services::add);
        frame.start(services);
        loops.hangUpOnTheRest()
                .forEach(socket -> LOG.warn(
                        "nobody here serves {}, a socket that was handed over: callers are hung up on; hand it over no more",
                        socket));
        console.ifPresent(admin -> ports.put("admin", admin.port()));
        gateway.ifPresent(front -> ports.put("gateway", front.port()));
        edge.ifPresent(tiles -> ports.put("edge", tiles.port()));
        passport.ifPresent(office -> ports.put("passport", office.port()));
        registry.ifPresent(log -> ports.put("registry", log.port()));
        demoApp.ifPresent(app -> ports.put("demo", app.port()));
    }

    /** The console, which like the ops plane never leaves loopback; its calls to nodes have a loop of their own. */
    private AdminService console(EventLoops loops, int port, int opsPort) throws IOException {
        EventLoops calls = new EventLoops("calls", 1, EventLoops.Transport.best(), frame.clock());
        frame.shutdown().register(new LoopsDrain(calls, Stage.OBSERVE));
        frame.watch(calls);
        return new AdminService(
                loops,
                calls,
                new dev.ron.admin.Setup(
                        LOOPBACK,
                        port,
                        data.isPresent() ? Optional.of(data.get().of("admin")) : Optional.empty(),
                        Optional.of("http://" + LOOPBACK + ":" + opsPort),
                        Secret.of(operator.reveal()),
                        this::issuer,
                        approveFlags(),
                        () -> frame.reloader().request("console")));
    }

    /** A registry begins with signers, whom only a person can name; where nobody has, and nobody insists, there is none. */
    private boolean runsRegistry(boolean demo) throws IOException {
        if (!NodeSections.runs(config, "registry")) {
            return false;
        }
        boolean insists = demo || config.services().contains("registry");
        boolean begun = data.isPresent()
                && (data.get().has("registry", "log")
                        || remembersALog(data.get().root()));
        if (!insists && !begun) {
            LOG.warn("the registry is left out: it has no log yet; make one with ron registry init");
        }
        return insists || begun;
    }

    // A log that was lost whole is not left out in silence.
    private boolean remembersALog(Path root) {
        Optional<Path> configured =
                frame.reloader().current().section(RegistryConfig.class).witnessPath();
        return Files.exists(configured.orElse(witness(root)));
    }

    private static Path witness(Path root) {
        return root.resolve("witness").resolve("registry.head");
    }

    private dev.ron.registry.Setup registrySetup(int port, boolean demo) throws IOException {
        Optional<Path> folder = data.isPresent() ? Optional.of(data.get().of("registry")) : Optional.empty();
        Optional<Path> root = data.map(DataFolder::root);
        return new dev.ron.registry.Setup(
                config.bind(),
                port,
                folder,
                root.map(Node::witness),
                demo,
                root.map(at -> at.resolve("demo").resolve("keys")),
                frame.reloader().current().section(RegistryConfig.class).bus().channelBound(),
                this::issuer);
    }

    private Optional<Setup.LocalRegistry> ownRegistry() {
        return registry.flatMap(log ->
                log.genesis().map(genesis -> new Setup.LocalRegistry(local("registry", log.port()), genesis)));
    }

    /** The address of one of our listeners. */
    private String local(String listener, int port) {
        String bind = List.of("ops", "admin").contains(listener) ? LOOPBACK : config.bind();
        String host = bind.contains(":") ? "[" + bind + "]" : bind;
        return (speaksTls(listener) ? "https://" : "http://") + host + ":" + port;
    }

    /** Proposals that wait for votes. */
    public List<String> waitingProposals() {
        return registry.map(RegistryService::waiting).orElseGet(List::of);
    }

    /** Where the demo's signers keep their keys. */
    public Optional<Path> demoKeys() {
        return data.map(folder -> folder.root().resolve("demo").resolve("keys"));
    }

    /** What {@code ron registry approve} needs: a signer's key, the demo's own where there is one, and where this node is. */
    public String approveFlags() {
        // As the folder was given, so that it is right where the node was started.
        String key = demoApp.isPresent() && data.isPresent()
                ? config.data().normalize().resolve("demo/keys/ann.key").toString()
                : "SIGNER.key";
        String where = switch (config.portBase()) {
            case 0 -> " --url " + urls().get("ops"); // the system has chosen
            case Ports.DEFAULT_BASE -> "";
            default -> " --port-base " + config.portBase();
        };
        String ca = certificates("registry")
                .or(() -> certificates("passport"))
                .map(file -> " --ca " + file)
                .orElse("");
        return "--key " + key + where + (config.data().equals(Path.of("./data")) ? "" : " --data " + config.data())
                + ca;
    }

    /** Whether the demo's paths ask for a token; where nobody issues any they are open, as the demo itself is. */
    public boolean needsToken() {
        return issuer().isPresent();
    }

    private GatewayConfig withDemoRoutes(GatewayConfig configured) {
        if (demoApp.isEmpty()) {
            return configured;
        }
        DemoRoutes ours = new DemoRoutes(local("demo", demoApp.get().port()), needsToken() ? Auth.REQUIRED : Auth.NONE);
        registry.ifPresent(log -> ours.registry(local("registry", log.port()), certificates("registry")));
        edge.ifPresent(tiles -> ours.edge(local("edge", tiles.port()), certificates("edge")));
        passport.ifPresent(office -> ours.passport(local("passport", office.port()), certificates("passport")));
        return ours.addedTo(configured);
    }

    /** The build leaves the demo world beside the program; where it did not, the edge makes it under its folder. */
    private dev.ron.edge.Setup edgeSetup(Ports plan, boolean demo) throws IOException {
        Optional<Path> folder = data.isPresent() ? Optional.of(data.get().of("edge")) : Optional.empty();
        Optional<Path> packs = Optional.ofNullable(System.getProperty("ron.demo.packs"))
                .map(Path::of)
                .filter(Files::isDirectory);
        return new dev.ron.edge.Setup(config.bind(), plan.of("edge"), folder, demo, packs, Optional.empty());
    }

    /** Where services of this process learn whose tokens to trust: of the office here, else at the one that is named. */
    private Optional<IssuerSource> issuer() {
        // On the ops plane: what the office's listener shows and asks for is for others, and need not fit a
        // call from here.
        Optional<IssuerSource> here = passport.map(office -> new IssuerSource(
                office.issuer(),
                local("ops", ports.getOrDefault("ops", 0)),
                () -> Optional.of(office.ownKey().reveal()),
                Tenants.ALL));
        return here.or(() -> config.passport().source());
    }

    private void addActions(Routes routes, OperatorGuard guard) {
        addEdgeActions(routes, guard);
        new Profiling(data).addTo(routes, guard);
        if (NodeSections.runs(config, "gateway")) {
            GatewayPages.addTo(
                    routes, () -> gateway.flatMap(GatewayService::views).orElseThrow(Node::starting));
        }
        if (NodeSections.runs(config, "passport")) {
            OperatorEndpoints.addTo(
                    routes, guard, () -> passport.map(PassportService::operator).orElseThrow(Node::starting));
            PassportApi.addForVerifiers(
                    routes, () -> passport.map(PassportService::api).orElseThrow(Node::starting));
        }
        if (NodeSections.runs(config, "registry")) {
            dev.ron.registry.api.OperatorEndpoints.addTo(
                    routes,
                    guard,
                    () -> registry.flatMap(RegistryService::operator)
                            .orElseThrow(() -> new RonException(
                                    Code.UNAVAILABLE, "starting", "the registry is not up, or has no log yet")));
        }
    }

    /** The ops plane is up before the services are. */
    private static RonException starting() {
        return new RonException(Code.UNAVAILABLE, "starting", "the node is starting");
    }

    private void addEdgeActions(Routes routes, OperatorGuard guard) {
        if (NodeSections.runs(config, "edge")) {
            PurgeEndpoint.addTo(
                    routes, guard, () -> edge.map(EdgeService::index).orElseThrow(Node::starting));
        }
    }

    /** A token for the demo's guarded path and for the gateway. */
    public Optional<String> demoToken() {
        return passport.filter(office -> office.bootstrapKey().isPresent())
                .map(office -> office.demoToken("demo", List.of("svc-demo", "svc-gateway"), Duration.ofHours(1)));
    }

    /** The key of the demo's first client, where it is kept in no file. */
    public Optional<String> unwrittenClientKey() {
        return data.isPresent()
                ? Optional.empty()
                : passport.flatMap(PassportService::bootstrapKey).map(ApiKey::reveal);
    }

    private static InheritedListeners inherited() {
        return InheritedListeners.of(System.getenv(), ProcessHandle.current().pid());
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static FrameSettings settings(NodeConfig config, Optional<SpanExport> spans) {
        NodeConfig.Supervisor restarts = config.supervisor();
        return new FrameSettings(
                config.profile().name().toLowerCase(Locale.ROOT),
                config.profile() == NodeConfig.Profile.MICRO,
                new Backoff.Policy(
                        restarts.minBackoff(), restarts.maxBackoff(), restarts.restartCap(), restarts.restartWindow()),
                c -> c.section(NodeConfig.class).shutdown().drainDeadline(),
                c -> c.section(NodeConfig.class).shutdown().preStop(),
                c -> c.section(NodeConfig.class).log().level().name().toLowerCase(Locale.ROOT),
                spans.map(SpanExport::collector));
    }

    /** Obeys the process's signals, also those that came while it started. */
    public void obey(Signals signals) {
        signals.attach(frame.shutdown(), () -> frame.reloader().request("sighup"));
    }

    /** Method and template of every route, by listener. */
    public Map<String, List<String>> routes() {
        Map<String, List<String>> all = new LinkedHashMap<>(frame.routes());
        all.put("ops", opsRoutes);
        return all;
    }

    /** The address of every listener, with its scheme. */
    public Map<String, String> urls() {
        Map<String, String> urls = new LinkedHashMap<>();
        ports().forEach((listener, port) -> urls.put(listener, local(listener, port)));
        return urls;
    }

    /** The ports in use, by listener. */
    public Map<String, Integer> ports() {
        return Ports.inOrder(ports);
    }

    /** Whether a listener speaks TLS. */
    public boolean speaksTls(String listener) {
        return certificates(listener).isPresent();
    }

    /** The certificates that a listener shows if it speaks TLS; with these it can be checked. */
    public Optional<Path> certificates(String listener) {
        Config all = frame.current();
        TlsConfig tls = switch (listener) {
            case "gateway" -> all.section(GatewayConfig.class).tls();
            case "edge" -> all.section(EdgeConfig.class).tls();
            case "passport" -> all.section(PassportConfig.class).tls();
            case "registry" -> all.section(RegistryConfig.class).tls();
            case "admin" -> all.section(AdminConfig.class).tls();
            default -> TlsConfig.OFF;
        };
        return tls.enabled() ? Optional.of(tls.certPath()) : Optional.empty();
    }

    /** One word on a listener's service. */
    public String state(String listener) {
        boolean ready = "ops".equals(listener)
                ? frame.heartbeat().alive()
                : frame.ready(listener).ready();
        return ready ? "ready" : "not ready";
    }

    /** Where the node keeps its things and its operator's credential. */
    public String dataLine() {
        return data.map(folder ->
                        "data: " + folder.root() + "; operator credential: " + OperatorToken.file(folder.root()))
                .orElseGet(() ->
                        "profile micro: nothing is written; operator credential, shown once: " + operator.reveal());
    }

    /** Requests in hand, of all listeners but the ops plane. */
    public int inflight() {
        return demoApp.map(DemoApp::inflight).orElse(0)
                + passport.map(PassportService::inflight).orElse(0)
                + registry.map(RegistryService::inflight).orElse(0)
                + gateway.map(GatewayService::inflight).orElse(0)
                + console.map(AdminService::inflight).orElse(0)
                + edge.map(EdgeService::inflight).orElse(0);
    }

    public Shutdown shutdown() {
        return frame.shutdown();
    }

    /** Stops everything, if it is not stopped already, and gives the data folder back. */
    @Override
    public void close() throws IOException {
        frame.shutdown().request("close", "the node is closed");
        frame.shutdown().awaitStopped(Deadline.after(frame.clock(), CLOSE_LIMIT));
        if (data.isPresent()) {
            data.get().close();
        }
    }
}
