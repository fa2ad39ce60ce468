package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.http.client.Target;
import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.client.stream.StreamOptions;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Breaker;
import dev.ron.kernel.flow.RetryBudget;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One service behind the gateway: its targets, and the bound on what it works on at once. */
public final class Upstream {
    private static final Duration NEVER_SLOW = Duration.ofHours(1);

    private final String id;
    private final TenantOutcomes outcomes = new TenantOutcomes();
    private volatile UpstreamConfig config;
    private final StreamClient client;
    private final Optional<ClientTls> tls;
    private final List<UpstreamTarget> targets;
    private final Arbiter arbiter;
    private final Shedding shedding = new Shedding();
    private final RetryBudget retries;

    public Upstream(
            String id,
            UpstreamConfig config,
            GatewayConfig.Breaker limits,
            Arbiter arbiter,
            StreamClient client,
            Clock clock,
            Meter meter) {
        this.id = id;
        this.config = config;
        this.client = client;
        this.tls = tls(config);
        tls.ifPresent(ClientTls::prepare);
        this.arbiter = arbiter;
        this.retries = new RetryBudget(clock);
        AtomicInteger seats = new AtomicInteger(config.targets().size() * limits.maxEjectedPercent() / 100);
        List<UpstreamTarget> all = new ArrayList<>();
        for (UpstreamConfig.TargetConfig one : config.targets()) {
            Target target = Target.of(one.url().toString());
            Breaker breaker = new Breaker(id + "/" + target.authority(), policy(limits), clock, meter);
            all.add(new UpstreamTarget(
                    target,
                    one.weight(),
                    breaker,
                    new UpstreamTarget.Ejection(
                            clock,
                            limits.ejectAfter(),
                            limits.open().toNanos(),
                            limits.maxOpen().toNanos(),
                            seats)));
        }
        this.targets = List.copyOf(all);
    }

    private static Breaker.Policy policy(GatewayConfig.Breaker limits) {
        return new Breaker.Policy(
                limits.window(),
                limits.minCalls(),
                limits.failurePercent(),
                NEVER_SLOW,
                100,
                limits.open(),
                limits.maxOpen(),
                3);
    }

    public String id() {
        return id;
    }

    public UpstreamConfig config() {
        return config;
    }

    public List<UpstreamTarget> targets() {
        return targets;
    }

    /** Who may use it next, and never more at once than it takes. */
    public Arbiter arbiter() {
        return arbiter;
    }

    /** Takes a configuration that differs in nothing but how much it works on at once. */
    void resize(UpstreamConfig next, int limit, long nowNanos) {
        config = next;
        arbiter.resize(limit, nowNanos);
    }

    public TenantOutcomes outcomes() {
        return outcomes;
    }

    public Shedding shedding() {
        return shedding;
    }

    public RetryBudget retries() {
        return retries;
    }

    /** The Host it is told; null passes on the caller's. */
    public @Nullable String hostFor(UpstreamTarget target) {
        return config.preserveHost() ? null : target.target().authority();
    }

    /** What it calls itself, where the caller's credential goes on to it; null keeps that here. */
    public @Nullable String audience() {
        return config.forwardAuthorization() ? config.audience().orElse("svc-" + id) : null;
    }

    /** Takes the addresses of a target as they are now; those that are gone finish what they have. */
    void resolved(UpstreamTarget target, List<InetSocketAddress> addresses) {
        List<Endpoint> before = target.endpoints();
        List<Endpoint> now = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            now.add(before.stream()
                    .filter(known -> known.address().equals(address))
                    .findFirst()
                    .orElseGet(() -> endpoint(target.target(), address)));
        }
        target.endpoints(List.copyOf(now));
        before.stream().filter(gone -> !now.contains(gone)).forEach(Endpoint::retire);
    }

    private Endpoint endpoint(Target target, InetSocketAddress address) {
        return tls.map(own -> client.endpoint(target, address, options(), own))
                .orElseGet(() -> client.endpoint(target, address, options()));
    }

    /** Targets must show a certificate for their name, under the authority that is configured or one that is known. */
    private static Optional<ClientTls> tls(UpstreamConfig config) {
        if (config.targets().stream().noneMatch(one -> "https".equals(one.url().getScheme()))) {
            return Optional.empty();
        }
        TlsOptions options = TlsOptions.defaults().withTls12().withHandshakeLimit(config.connectTimeout());
        return Optional.of(config.caPath()
                .map(roots -> ClientTls.trusting(roots, options))
                .orElseGet(() -> ClientTls.publicRoots(options)));
    }

    private StreamOptions options() {
        return new StreamOptions(config.maxConnections(), config.maxPending(), config.connectTimeout(), config.idle());
    }

    /**
     * The target for a try, which is counted there from now on: the less busy of two that are drawn by weight.
     *
     * <p>Where none is healthy all are tried: a check may be wrong, and there is nothing to lose.
     *
     * @param tried where it failed before; another one is preferred
     */
    public UpstreamTarget pick(@Nullable UpstreamTarget tried) {
        if (targets.size() == 1) {
            return enter(targets.getFirst());
        }
        List<UpstreamTarget> open = candidates(tried);
        RonException refused = null;
        while (!open.isEmpty()) {
            UpstreamTarget first = draw(open);
            UpstreamTarget second = draw(open);
            UpstreamTarget better = first.busierThan(second) ? second : first;
            try {
                return enter(better);
            } catch (RonException e) {
                refused = e;
                open.remove(better);
            }
        }
        throw refused == null ? unresolved() : refused;
    }

    private List<UpstreamTarget> candidates(@Nullable UpstreamTarget tried) {
        List<UpstreamTarget> open = new ArrayList<>(targets.size());
        for (UpstreamTarget target : targets) {
            if (target.healthy() && !target.equals(tried)) {
                open.add(target);
            }
        }
        if (open.isEmpty()) {
            targets.stream().filter(UpstreamTarget::resolved).forEach(open::add);
        }
        return open;
    }

    private static UpstreamTarget draw(List<UpstreamTarget> open) {
        int sum = 0;
        for (UpstreamTarget target : open) {
            sum += target.weight();
        }
        int at = ThreadLocalRandom.current().nextInt(sum);
        for (UpstreamTarget target : open) {
            at -= target.weight();
            if (at < 0) {
                return target;
            }
        }
        throw new IllegalStateException("weights changed");
    }

    private UpstreamTarget enter(UpstreamTarget target) {
        if (!target.resolved()) {
            throw unresolved();
        }
        target.breaker().enter();
        target.entered();
        return target;
    }

    private RonException unresolved() {
        return new RonException(Code.UPSTREAM_CONNECT, "upstream_unavailable", "upstream " + id + " has no address");
    }

    /** Another configuration takes its place: what it has in hand it finishes, on connections that then end. */
    void retire() {
        targets.forEach(target -> target.endpoints().forEach(Endpoint::retire));
    }

    /** No connection begins here any more: what handshakes needed is given back; those that are open keep their part. */
    void release() {
        tls.ifPresent(ClientTls::close);
    }

    @Override
    public String toString() {
        return id;
    }
}
