package dev.ron.edge.fill;

import dev.ron.edge.cas.Cas;
import dev.ron.edge.cas.CasCommitter;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.SystemAddresses;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.flow.RetryBudget;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.status.BuildInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The machinery of live fills, put together from a configuration. */
public final class FillParts implements AutoCloseable {
    /** The index takes at most this part of the heap: a quarter of 256 MiB holds some 110,000 objects. */
    private static final int INDEX_SHARE = 4;
    /** The longest Retry-After of an origin that is waited for. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

    private final Flights<Errand, Filled> flights;
    private final FillRoutes routes;
    private final AssetIndex index;
    private final Fills fills;
    private final FillWorker worker;
    private final Origins origins;
    private final Optional<ClientTls> tls;

    /** What the service brings along. */
    public record Given(
            Cas cas,
            Optional<Path> indexFile,
            Lane commit,
            Lane names,
            Mailbox<FillJob> work,
            Broadcast<FillEvent> events,
            Fills.FilledSender sender) {}

    /** @param names what resolves host names, where that is not the system; the rules on addresses are put around it */
    public FillParts(
            ServiceContext context,
            EventLoops loops,
            Supplier<EdgeConfig> config,
            Given given,
            Flights<Errand, Filled> flights,
            Optional<Addresses> names) {
        EdgeConfig first = config.get();
        EdgeConfig.LiveFill rules = first.liveFill();
        Clock clock = context.clock();
        routes = new FillRoutes(first.routes().values());
        index = new AssetIndex(Runtime.getRuntime().maxMemory() / INDEX_SHARE, clock);
        given.indexFile()
                .ifPresent(file -> index.keep(IndexKeeper.open(
                        file, given.commit(), index, object -> given.cas().holds(object.digest()))));
        this.flights = flights;
        index.onPurge(
                purged -> flights.setApart(errand -> purged.test(errand.key().name())));
        FillMeter meter = new FillMeter(context.metrics());
        // Reading the system's certificates takes a while: only who fetches pays for it.
        tls = routes.isEmpty() ? Optional.empty() : Optional.of(tls(rules));
        tls.ifPresent(ClientTls::prepare);
        Addresses resolver = names.orElseGet(() -> new SystemAddresses(given.names()));
        origins = new Origins(
                new StreamClient(loops, tls),
                new AddressRules(resolver, rules.privateNets()),
                Duration.ofMillis(rules.connectMs()),
                first.workerCount());
        Fetch fetch = new Fetch(
                origins,
                loops,
                given.cas(),
                new CasCommitter(given.cas(), given.commit()),
                meter,
                config,
                clock,
                "svc-edge/" + BuildInfo.load().version());
        Outages outages =
                new Outages(first.routes().values(), clock, context.kernel().meter());
        fills = new Fills(
                flights,
                given.work(),
                index,
                given.sender(),
                new TokenBucket(clock, rules.rps(), rules.burst()),
                meter,
                config,
                clock);
        worker = new FillWorker(
                given.work(),
                flights,
                index,
                fetch,
                outages,
                retry(context, first),
                given.sender(),
                meter,
                given.events(),
                config,
                clock);
        context.metrics().gauge("edge_flight_waiters", "Requests that wait for fills.", fills::waiters);
        context.metrics().gauges("circuit_state", "0 closed, 1 half-open, 2 open.", "endpoint", outages::states);
        context.metrics().gauge("edge_index_objects", "Objects known by their origin's name.", index::size);
    }

    private static ClientTls tls(EdgeConfig.LiveFill rules) {
        TlsOptions options = rules.tls12() ? TlsOptions.defaults().withTls12() : TlsOptions.defaults();
        return rules.caFile().isPresent()
                ? ClientTls.trusting(rules.caFile().get(), options)
                : ClientTls.publicRoots(options);
    }

    private static Retry retry(ServiceContext context, EdgeConfig config) {
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        return new Retry(
                        "live_fill",
                        policy(config.retry().liveFill()),
                        new RetryBudget(context.clock()),
                        random,
                        context.kernel().meter(),
                        context.shutdown().phase())
                .repeating(FillParts::mayPass);
    }

    static Retry.Policy policy(EdgeConfig.LiveFillRetry waits) {
        Duration base = Duration.ofMillis(waits.baseMs());
        return new Retry.Policy(
                base, waits.jitter() ? base : Duration.ZERO, Duration.ofMillis(waits.maxMs()), 1 + waits.maxRetries());
    }

    /**
     * A time-out, a 503, a 504: nothing else is asked for again. A full store least of all, whose room a second download
     * would not find either; nor an origin that wants more time than anyone here waits.
     */
    private static boolean mayPass(RonException failure) {
        boolean soon = failure.retryAfter().orElse(Duration.ZERO).compareTo(MOST_PATIENCE) <= 0;
        return switch (failure.code()) {
            case TIMEOUT, UPSTREAM_TIMEOUT, UNAVAILABLE -> soon;
            default -> false;
        };
    }

    public FillRoutes routes() {
        return routes;
    }

    public AssetIndex index() {
        return index;
    }

    public Fills fills() {
        return fills;
    }

    public FillWorker worker() {
        return worker;
    }

    /** Lets what is in flight land until the deadline, then tells everyone who waits that it will not. */
    public void end(Deadline deadline) {
        if (!flights.awaitLanded(deadline)) {
            flights.failAll(new RonException(Code.DRAINING, "draining", "the service is stopping"));
            origins.close();
        }
    }

    @Override
    public void close() {
        index.close();
        origins.close();
        tls.ifPresent(ClientTls::close);
    }
}
