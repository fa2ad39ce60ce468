package dev.ron.registry;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.flow.RetryBudget;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Phase;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.quorum.Count;
import dev.ron.registry.api.Gate;
import dev.ron.registry.api.OperatorEndpoints;
import dev.ron.registry.api.RegistryApi;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.commit.Committer;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.commit.Job;
import dev.ron.registry.commit.Queues;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.stream.StreamHub;
import dev.ron.registry.task.BusPublisher;
import dev.ron.registry.task.Checkpointer;
import dev.ron.registry.task.DeepVerifier;
import dev.ron.registry.task.Pruner;
import dev.ron.registry.task.Reloads;
import dev.ron.registry.tlog.Notary;
import dev.ron.service.client.Outbound;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.tls.ServiceTls;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.RevocationFeed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The registry: {@link #start} is its whole runtime. */
public final class RegistryService implements RonService {
    private static final double UNLIMITED = 1e9;

    private final EventLoops loops;
    private final Setup setup;
    private final LogFolder.Disks disks;
    private final int pool = RegistryTopology.poolSize();
    private final SecureRandom random = new SecureRandom();
    private volatile @Nullable Running running;

    private record Running(
            HttpHost host, LogFolder folder, OperatorEndpoints operator, DeepVerifier verifier, Clock clock) {}

    public RegistryService(EventLoops loops, Setup setup) {
        this(loops, setup, RealDisk::new);
    }

    /** With another file system under the log. */
    RegistryService(EventLoops loops, Setup setup, LogFolder.Disks disks) {
        this.loops = loops;
        this.setup = setup;
        this.disks = disks;
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Topology topology() {
        return RegistryTopology.of(pool, setup.channelBound());
    }

    @Override
    public void start(ServiceContext context) throws Exception {
        Kernel kernel = context.kernel();
        Clock clock = context.clock();
        Supplier<RegistryConfig> config = () -> context.config(RegistryConfig.class);
        RegistryConfig first = config.get();

        // the log and its one writer
        LogFolder folder = LogFolder.open(setup, first, disks, clock);
        Registry registry = folder.registry();
        Queues queues = new Queues(
                queue(kernel, RegistryTopology.PROPOSALS),
                queue(kernel, RegistryTopology.APPROVALS),
                queue(kernel, RegistryTopology.COMMITS),
                queue(kernel, RegistryTopology.CTL),
                kernel.mailbox(RegistryTopology.BELL, (ring, cause) -> {}));
        Broadcast<Committed> committed = kernel.broadcast(RegistryTopology.committed(setup.channelBound()));
        Watch.Writer<Long> heads =
                kernel.watch(RegistryTopology.HEADS, registry.view().version());
        Committer committer = new Committer(registry, queues, committed, heads, clock, kernel.meter());
        kernel.spawn(RegistryTopology.COMMITTER, committer::run);
        Counter ctl = new Counter(queues.ctl(), queues.bell(), "ctl", kernel.meter());

        // those who read what it wrote
        Notary notary = new Notary(
                folder.logKeys(), registry.view(), clock, first.checkpoint().republish());
        Permits clients =
                kernel.permits(RegistryTopology.STREAM_CLIENTS, first.stream().maxClients());
        StreamHub stream = new StreamHub(
                registry::view,
                registry::commitNews,
                clients,
                new StreamHub.Settings(
                        first.stream().heartbeat(),
                        first.stream().clientBuffer(),
                        first.stream().replayMax()),
                kernel.meter());
        stream.preload();
        kernel.spawn(RegistryTopology.STREAM_HUB, scope -> stream.run(scope, committed));
        BusPublisher publisher = new BusPublisher(
                context.bus(), registry::view, () -> config.get().bus().emitUpdates());
        kernel.spawn(RegistryTopology.PUBLISHER, scope -> publisher.run(scope, committed));
        Mailbox<Long> retention = kernel.mailbox(RegistryTopology.RETENTION_CMD, (checkpoint, cause) -> {});
        Checkpointer checkpointer = new Checkpointer(
                registry,
                notary,
                folder.witnesses(),
                folder.archive(),
                () -> config.get().storage().checkpointInterval(),
                retention,
                kernel.meter());
        kernel.spawn(RegistryTopology.CHECKPOINTER, scope -> checkpointer.run(scope, heads.watch()));
        Pruner pruner = new Pruner(folder.pruning(() -> config.get().retention(), ctl, clock));
        kernel.spawn(RegistryTopology.RETENTION, scope -> pruner.run(scope, retention));
        DeepVerifier verifier = new DeepVerifier(
                registry,
                () -> config.get().verify().slice(),
                damage -> ctl.tell(new Command.Freeze("the log does not verify: " + damage), "deep-verifier"));
        kernel.spawn(RegistryTopology.DEEP_VERIFIER, verifier::run);

        // the listener
        Permits inflight =
                kernel.permits(RegistryTopology.HOST.inflight(), first.limits().inflight());
        TokenBucket rate = new TokenBucket(clock, UNLIMITED, UNLIMITED);
        context.onReload(new Reloads(first, rate, inflight, ctl, context.metrics()));
        RegistryApi api = new RegistryApi(new RegistryApi.Parts(
                registry,
                notary,
                folder.archive(),
                stream,
                new Gate(issuerKeys(context), clock),
                kernel.lane(RegistryTopology.verify(pool)),
                kernel.lane(RegistryTopology.files()),
                new Retry(
                        "read",
                        Retry.Policy.DEFAULT,
                        new RetryBudget(clock),
                        ThreadLocalRandom.current(),
                        kernel.meter(),
                        Watch.of(Phase.RUNNING).watch()),
                heads.watch(),
                kernel.permits(RegistryTopology.HEAD_WAITERS, RegistryTopology.MAX_HEAD_WAITERS),
                new Counter(queues.proposals(), queues.bell(), "propose", kernel.meter()),
                new Counter(queues.approvals(), queues.bell(), "approve", kernel.meter()),
                new Counter(queues.commits(), queues.bell(), "commit", kernel.meter()),
                ctl,
                new RegistryApi.Deadlines(
                        first.deadlines().propose(),
                        first.deadlines().approve(),
                        first.deadlines().commit()),
                clock,
                random));
        HostConfig limits = hostConfig(first);
        Routes routes = api.routes(limits, rate, inflight);
        context.addProbes(routes);
        Closing closing = new Closing(heads, checkpointer, folder);
        closing.registerWith(context.shutdown());
        HttpHost host = HttpHost.builder(kernel, loops, RegistryTopology.HOST)
                .config(limits)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(clock))
                .tls(ServiceTls.of(
                        context, all -> all.section(RegistryConfig.class).tls()))
                .bind(setup.bind(), setup.port(), routes.build());
        host.attach(context.shutdown());
        context.stopWithProcess(
                new LastCall(queues, host::awaitAnswered, () -> config.get().drainDeadline(), clock));
        context.listensAt(setup.bind() + ":" + host.port());
        new RegistryHealth(registry, committer.disk(), folder.disk(), verifier, context)
                .bind(queues, host, notary, clients);
        running = new Running(host, folder, new OperatorEndpoints(ctl, verifier::again), verifier, clock);
    }

    private static Mailbox<Ask<Job, Answer>> queue(Kernel kernel, dev.ron.kernel.topology.MailboxSpec spec) {
        return kernel.mailbox(spec, (ask, cause) -> {});
    }

    /** The keys of the issuer whose tokens let callers write; without one nobody may. */
    private Supplier<KeyState> issuerKeys(ServiceContext context) {
        Optional<IssuerSource> source = setup.issuer().get();
        if (source.isEmpty()) {
            context.kernel().spawn(IssuerKeys.TASK, scope -> scope.awaitStop(Deadline.never(scope.clock())));
            return KeyState::of;
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
        context.kernel().spawn(IssuerKeys.TASK, keys::run);
        return keys::state;
    }

    private static HostConfig hostConfig(RegistryConfig config) {
        HostConfig defaults = HostConfig.DEFAULTS;
        HostConfig.Timeouts pace = defaults.timeouts();
        return defaults.withConns(config.maxConns(), config.maxConns())
                .withBody(new HostConfig.BodyLimits(
                        config.limits().maxBodyBytes().count(), config.limits().decompressRatioCap(), 8L << 20))
                .withTimeouts(new HostConfig.Timeouts(
                        config.readTimeout(),
                        config.writeTimeout(),
                        config.idleTimeout(),
                        pace.handshake(),
                        pace.minBytesPerSecond(),
                        pace.paceAfter()));
    }

    @Override
    public Map<String, Object> statusData() {
        Running now = running;
        if (now == null) {
            return Map.of();
        }
        Registry registry = now.folder().registry();
        View view = registry.view();
        return Map.of(
                "origin", view.ledger().genesis().origin(),
                "version", view.version(),
                "hash", view.ledger().headHash().text(),
                "pending_proposals", registry.book().pending(),
                "pending", pending(registry, now.clock().now().toEpochMilli()),
                "verify",
                        Map.of(
                                "upto",
                                now.verifier().verified(),
                                "ok",
                                now.verifier().damage().isEmpty()),
                "signer_set", view.ledger().signers().setVersion(),
                "frozen", view.frozen().isPresent(),
                "storage_bytes", registry.store().bytes());
    }

    /** What waits for votes, for an operator to see: oldest first. */
    private static List<Map<String, Object>> pending(Registry registry, long nowMs) {
        return registry.book().dockets().stream()
                .map(docket -> {
                    Count votes = docket.tally(registry.view().ledger(), nowMs).current();
                    return Map.<String, Object>of(
                            "proposal_id",
                            docket.id(),
                            "title",
                            docket.proposal()
                                    .payload()
                                    .note()
                                    .orElse(docket.proposal().payload().kind().wire()),
                            "approvals",
                            votes.have(),
                            "quorum",
                            votes.need(),
                            "age_seconds",
                            Math.max(0, nowMs - docket.proposal().createdAtMs()) / 1000);
                })
                .toList();
    }

    /** The port in use; 0 before the start. */
    public int port() {
        Running now = running;
        return now == null ? 0 : now.host().port();
    }

    /** Requests in hand. */
    public int inflight() {
        Running now = running;
        return now == null ? 0 : now.host().inflight();
    }

    /** What an operator may do; empty before the start. */
    public Optional<OperatorEndpoints> operator() {
        Running now = running;
        return now == null ? Optional.empty() : Optional.of(now.operator());
    }

    /** What is durable now; empty before the start. */
    public Optional<View> view() {
        Running now = running;
        return now == null
                ? Optional.empty()
                : Optional.of(now.folder().registry().view());
    }

    /** The hash of the log's first entry, which names the log; empty before the start. */
    public Optional<B3> genesis() {
        Running now = running;
        try {
            return now == null
                    ? Optional.empty()
                    : Optional.of(now.folder().registry().entry(1).hash());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Proposals that wait for votes. */
    public List<String> waiting() {
        Running now = running;
        return now == null
                ? List.of()
                : now.folder().registry().book().dockets().stream()
                        .map(docket -> docket.id())
                        .toList();
    }
}
