package dev.ron.passport;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.api.Counter;
import dev.ron.passport.api.FeedReaders;
import dev.ron.passport.api.OperatorEndpoints;
import dev.ron.passport.api.PassportApi;
import dev.ron.passport.audit.AuditEvent;
import dev.ron.passport.audit.Auditor;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.issue.IssuanceWorker;
import dev.ron.passport.issue.Minted;
import dev.ron.passport.issue.Minter;
import dev.ron.passport.issue.Order;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.office.Command;
import dev.ron.passport.office.Feed;
import dev.ron.passport.office.OfficeState;
import dev.ron.passport.office.Registrar;
import dev.ron.passport.policy.Policy;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.status.Health;
import dev.ron.service.status.Plane;
import dev.ron.service.tls.ServiceTls;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.keys.Purpose;
import dev.ron.token.verify.PqMode;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The passport office on port N+2: {@link #start} is its runtime, part by part. */
public final class PassportService implements RonService {
    private static final List<Purpose> PURPOSES =
            List.of(Purpose.PCT, Purpose.JWT, Purpose.JWT_ES256, Purpose.FEED, Purpose.PCT_PQ);
    private static final double UNLIMITED = 1e9;

    private final EventLoops loops;
    private final Setup setup;
    private final SecureRandom random = new SecureRandom();
    private final int pool = PassportTopology.poolSize();
    private final Topology topology = PassportTopology.of(pool);
    private final ApiKey ownKey = ApiKey.random(random);
    private Optional<ApiKey> bootstrap = Optional.empty();
    private @Nullable Running running;

    /** What is there once the service is up. */
    private record Running(
            HttpHost host,
            Registrar registrar,
            Kms kms,
            PolicyDesk desk,
            Counter<Order, Minted> issue,
            Counter<Command, Command.Receipt> revoke,
            PassportApi api,
            OperatorEndpoints operator,
            Auditor auditor,
            Supplier<String> pq,
            Clock clock) {}

    public PassportService(EventLoops loops, Setup setup) {
        this.loops = loops;
        this.setup = setup;
    }

    @Override
    public String name() {
        return "passport";
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public void start(ServiceContext context) throws IOException {
        Kernel kernel = context.kernel();
        Clock clock = context.clock();
        Supplier<PassportConfig> config = () -> context.config(PassportConfig.class);
        PassportConfig first = config.get();
        String issuer = first.issuer().isEmpty() ? setup.defaultIssuer() : first.issuer();

        // the state and its one writer
        Watch.Writer<Long> news = kernel.watch(PassportTopology.FEED, 0L);
        Registrar registrar = openOffice(context, issuer, news, first);
        Mailbox<Ask<Command, Command.Receipt>> revoke = kernel.mailbox(PassportTopology.REVOKE, (ask, cause) -> {});
        kernel.spawn(PassportTopology.REVOCATION, scope -> registrar.run(scope, revoke));

        // signing
        Lane signing = kernel.lane(PassportTopology.sign(pool));
        Lane feedSigning = kernel.lane(PassportTopology.signFeed());
        Supplier<Duration> timeout = () -> config.get().kms().timeout();
        Duration slo = first.kms().slo();
        Kms kms = new Kms("kms", setup.engine(), signing, timeout, slo, clock, kernel.meter());
        Kms feedKms = new Kms("kms-feed", setup.engine(), feedSigning, timeout, slo, clock, kernel.meter());

        // policy
        PolicyDesk desk = new PolicyDesk(kernel.broadcast(PassportTopology.POLICY));
        Watch.Writer<Long> hint = kernel.watch(PassportTopology.HINT, 0L);
        Permits inflight =
                kernel.permits(PassportTopology.HOST.inflight(), first.limits().inflight());
        Permits signers = kernel.permits(
                PassportTopology.SIGNING,
                PassportTopology.signingOf(first.limits().inflight()));
        TokenBucket rate = new TokenBucket(clock, UNLIMITED, UNLIMITED);
        PolicyFollower follower = PolicyFollower.of(setup, context, loops, issuer, desk, hint);
        ConfigWatcher watcher = new ConfigWatcher(context, desk, rate, inflight, signers, hint, follower.sync()::heard);
        watcher.apply(context.configs().value());
        kernel.spawn(PassportTopology.CONFIG_WATCHER, watcher::run);
        kernel.spawn(PassportTopology.BUS_SUBSCRIBER, new BusSubscriber(context.bus(), hint)::run);
        follower.start(kernel);

        // the record of it all
        Mailbox<AuditEvent> events = kernel.mailbox(PassportTopology.AUDIT, (event, cause) -> {});
        Auditor auditor = new Auditor(
                events,
                new Vault(setup, random).audit(first.audit()),
                () -> config.get().audit().required(),
                kernel.meter());
        kernel.spawn(PassportTopology.AUDITOR, auditor::run);

        // issuing
        Mailbox<Ask<Order, Minted>> issue = kernel.mailbox(PassportTopology.ISSUE, (ask, cause) -> {});
        Supplier<JwtAlg> jwtAlg = () -> config.get().jwt().alg().orElse(JwtAlg.EDDSA);
        Minter minter = new Minter(registrar::state, kms, jwtAlg, clock, random);
        Closing closing = new Closing(clock, () -> config.get().drainDeadline(), news, registrar);
        closing.registerWith(context.shutdown());
        IssuanceWorker worker = new IssuanceWorker(
                issue,
                minter,
                desk,
                closing::limit,
                (order, minted) -> auditor.require(AuditEvent.issued(order, minted)));
        for (int i = 0; i < pool; i++) {
            kernel.spawn(PassportTopology.ISSUANCE, worker::run);
        }

        // the listener
        Counter<Order, Minted> issueCounter = new Counter<>(issue, "/v1/passport/issue", kernel.meter());
        Counter<Command, Command.Receipt> revokeCounter = new Counter<>(revoke, "/v1/passport/revoke", kernel.meter());
        Supplier<PqMode> pq = () -> desk.current()
                .map(Policy::pq)
                .orElseGet(() -> PqMode.valueOf(config.get().pq().mode().name()));
        PassportApi api = new PassportApi(new PassportApi.Parts(
                registrar::state,
                pq,
                jwtAlg,
                desk::current,
                new Feed(registrar, feedKms, clock),
                news.watch(),
                new FeedReaders(kernel.permits(PassportTopology.FEED_READERS, 256), 64),
                new FeedReaders(kernel.permits(PassportTopology.OWN_FEED_READERS, 32), 32),
                kernel.lane(PassportTopology.verify(pool)),
                issueCounter,
                revokeCounter,
                () -> config.get().limits().maxBatch(),
                auditor,
                random,
                clock,
                kernel.meter()));
        HostConfig limits = hostConfig(first);
        Routes routes = api.routes(limits, rate, inflight, signers);
        context.addProbes(routes);
        HttpHost host = HttpHost.builder(kernel, loops, PassportTopology.HOST)
                .config(limits)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(clock))
                .rejectedFamily("rejects_total")
                .tls(ServiceTls.of(
                        context, all -> all.section(PassportConfig.class).tls()))
                .bind(setup.bind(), setup.port(), routes.build());
        host.attach(context.shutdown());
        context.listensAt(setup.bind() + ":" + host.port());

        PassportHealth health = new PassportHealth(
                registrar::state, kms, desk, follower.sync()::confirmedAt, registrar::trouble, auditor, clock);
        health.bind(context, issue, revoke, host);
        running = new Running(
                host,
                registrar,
                kms,
                desk,
                issueCounter,
                revokeCounter,
                api,
                new OperatorEndpoints(registrar::state, revokeCounter, auditor, random),
                auditor,
                () -> pq.get().name().toLowerCase(Locale.ROOT),
                clock);
    }

    private Registrar openOffice(ServiceContext context, String issuer, Watch.Writer<Long> news, PassportConfig first)
            throws IOException {
        Vault vault = new Vault(setup, random);
        Supplier<KeyTimes> times = () -> {
            PassportConfig.IssuerPolicy rules =
                    context.config(PassportConfig.class).issuerPolicy();
            return KeyTimes.of(rules.publishAhead(), rules.grace(), rules.rotationDays());
        };
        Registrar registrar = new Registrar(
                issuer,
                vault.keystore(first.kms().passphrase()),
                vault.journal(),
                context.clock(),
                random,
                times,
                () -> PURPOSES,
                news,
                context.bus());
        registrar.welcome(new Client(
                Client.GUEST, ownKey.prefix(), ownKey.hash(), List.of("node"), Set.of(Right.VERIFY), List.of(), 0));
        if (setup.demo()) {
            ApiKey key = vault.bootstrapKey();
            Client operator = Vault.bootstrapClient(key);
            if (!registrar.state().clients().containsValue(operator)) {
                registrar.applyAtStart(new Command.KeepClient(operator));
            }
            bootstrap = Optional.of(key);
        }
        return registrar;
    }

    private static HostConfig hostConfig(PassportConfig config) {
        HostConfig defaults = HostConfig.DEFAULTS;
        HostConfig.Timeouts pace = defaults.timeouts();
        return defaults.withConns(config.maxConns(), config.maxConns())
                .withBody(new HostConfig.BodyLimits(
                        config.limits().maxBodyBytes().count(),
                        config.limits().decompressRatioCap(),
                        config.limits().maxBodyBytes().count()))
                .withTimeouts(new HostConfig.Timeouts(
                        config.readTimeout(),
                        config.writeTimeout(),
                        config.idleTimeout(),
                        pace.handshake(),
                        pace.minBytesPerSecond(),
                        pace.paceAfter()));
    }

    private Running up() {
        if (running == null) {
            throw new RonException(Code.UNAVAILABLE, "starting", "the passport office is not up yet");
        }
        return running;
    }

    @Override
    public Map<String, Object> statusData() {
        if (running == null) {
            return Map.of();
        }
        OfficeState state = running.registrar().state();
        return Map.of(
                "epoch", state.epoch(),
                "kids",
                        state.ring().published().stream()
                                .filter(key -> key.status().verifies())
                                .map(key -> key.kid())
                                .toList(),
                "kms",
                        Map.of(
                                "ok",
                                running.kms().circuit() < 2,
                                "breaker",
                                running.kms().circuit()),
                "policy_version",
                        running.desk().current().map(policy -> policy.version()).orElse(0L));
    }

    @Override
    public List<Plane> planes() {
        String trouble = running == null ? "" : running.auditor().trouble();
        return List.of(Plane.of("passport.audit", trouble.isEmpty() ? Health.HEALTHY : Health.DEGRADED, trouble));
    }

    @Override
    public Optional<String> pqMode() {
        return running == null ? Optional.empty() : Optional.of(running.pq().get());
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return running == null ? 0 : running.host().port();
    }

    /** Requests in hand. */
    public int inflight() {
        return running == null ? 0 : running.host().inflight();
    }

    /** The {@code iss} of its tokens. */
    public String issuer() {
        return up().registrar().state().issuer();
    }

    /** Everything it has acknowledged, at this moment. */
    public OfficeState state() {
        return up().registrar().state();
    }

    /** Has the one writer do something, as an operator would; the caller's deadline holds. */
    public Command.Receipt carryOut(Command command) {
        return up().revoke().ask(command);
    }

    /** What lets a verifier in the same process read the feed. */
    public ApiKey ownKey() {
        return ownKey;
    }

    /** The key of the demo's first client. */
    public Optional<ApiKey> bootstrapKey() {
        return bootstrap;
    }

    /** For the ops plane, which is up earlier. */
    public OperatorEndpoints operator() {
        return up().operator();
    }

    /** The same for what verifiers of this process read there. */
    public PassportApi api() {
        return up().api();
    }

    /** A token to try things with; it lives no longer than the policy lets it. */
    public String demoToken(String subject, List<String> audiences, Duration ttl) {
        try {
            return tokenFor(subject, audiences, ttl);
        } catch (RonException _) {
            // A policy that came from the log at this very moment may be stricter than the one that was looked at.
            return tokenFor(subject, audiences, ttl);
        }
    }

    private String tokenFor(String subject, List<String> audiences, Duration ttl) {
        Running office = up();
        ApiKey key = bootstrap.orElseThrow(() -> new IllegalStateException("only a demo has a bootstrap client"));
        Order order = new Order(
                Vault.bootstrapClient(key),
                subject,
                audiences,
                OptionalLong.of(Math.min(
                        ttl.toSeconds(),
                        office.desk().current().map(Policy::maxTtlSeconds).orElse(Long.MAX_VALUE))),
                "acme",
                List.of(),
                List.of(),
                Long.MAX_VALUE,
                office.pq().get().equals("enforce"),
                true,
                Order.Format.PCT,
                true,
                Optional.empty(),
                Optional.empty());
        try {
            return CallContext.of(Deadline.after(office.clock(), Duration.ofSeconds(5)), "demo")
                    .call(() -> office.issue().ask(order))
                    .token();
        } catch (RonException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("asking throws nothing else", e);
        }
    }
}
