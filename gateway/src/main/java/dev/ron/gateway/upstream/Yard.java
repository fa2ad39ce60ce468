package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.arbiter.ArbiterSettings;
import dev.ron.gateway.arbiter.ArbiterView;
import dev.ron.gateway.arbiter.ArbiterWatch;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.gateway.tenant.Accounts;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskKind;
import dev.ron.kernel.time.Clock;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Every upstream there is, through all changes of the configuration.
 *
 * <p>The arbiter of a name stays the same for as long as the name is used, so that its bound and its accounts hold also
 * while the targets behind it are exchanged. What did not change keeps its connections.
 */
public final class Yard {
    /** Jobs that may wait at one upstream: the seed's {@code work}. */
    public static final int SEATS = 512;

    /** Fewer answers in ten seconds are not judged. */
    private static final long LEAST_ANSWERS = 50;

    private final StreamClient client;
    private final Addresses addresses;
    private final EventLoops loops;
    private final Clock clock;
    private final Meter meter;
    private final TaskKind keepers;
    private final Function<String, ArbiterWatch> watches;
    private final ConcurrentMap<String, Arbiter> arbiters = new ConcurrentHashMap<>();
    // Of the one who reloads.
    private Duration patience =
            Duration.ZERO; // the longest a request under the configuration in force may yet begin a try
    private final Map<Upstream, Task> keeping = new HashMap<>();
    // Of the sampler.
    private final Map<String, Trouble> troubles = new HashMap<>();
    private final Heap heap = new Heap();

    /** @param watches who hears about the arbiter of an upstream */
    public Yard(
            StreamClient client,
            Addresses addresses,
            EventLoops loops,
            Clock clock,
            Meter meter,
            TaskKind keepers,
            Function<String, ArbiterWatch> watches) {
        this.client = client;
        this.addresses = addresses;
        this.loops = loops;
        this.clock = clock;
        this.meter = meter;
        this.keepers = keepers;
        this.watches = watches;
    }

    /** Makes the upstreams of a configuration, taking over what stays the same; changes nothing that is in use. */
    public Upstreams prepare(GatewayConfig config, Upstreams before, GatewayConfig old) {
        Map<String, Upstream> byId = new LinkedHashMap<>();
        config.upstreams().forEach((id, wanted) -> {
            Upstream known = before.find(id);
            boolean same = known != null
                    && config.breaker().equals(old.breaker())
                    && known.config().withInflight(1).equals(wanted.withInflight(1));
            byId.put(id, same && known != null ? known : fresh(id, wanted, config));
        });
        return new Upstreams(byId);
    }

    private Upstream fresh(String id, UpstreamConfig wanted, GatewayConfig config) {
        ArbiterSettings settings = new ArbiterSettings(
                limit(wanted, config),
                SEATS,
                config.drr().maxQueueWait(),
                Accounts.MOST,
                wanted.maxStreams(),
                wanted.maxStreamsPerTenant());
        Arbiter arbiter = arbiters.computeIfAbsent(
                id, key -> new Arbiter(settings, loops.group().next(), watches.apply(key)));
        Upstream upstream = new Upstream(id, wanted, config.breaker(), arbiter, client, clock, meter);
        new Keeper(upstream, addresses, loops, clock).start(); // so that the first request finds an address
        return upstream;
    }

    private static int limit(UpstreamConfig wanted, GatewayConfig config) {
        return Math.min(wanted.maxInflight(), config.maxInflight());
    }

    /**
     * Changes over from one set to the next. What is gone is retired only when no request that began with it can still
     * begin a try there: one that waits for its turn now would else find its connections closed.
     */
    public void adopt(GatewayConfig config, Upstreams next, Upstreams before) {
        long lastTry = patience.plusSeconds(1).toNanos();
        patience = config.requestTimeout();
        for (Upstream upstream : next.all()) {
            UpstreamConfig wanted = config.upstreams().getOrDefault(upstream.id(), upstream.config());
            upstream.resize(wanted, limit(wanted, config), clock.nanos());
            if (!keeping.containsKey(upstream)) {
                Keeper keeper = new Keeper(upstream, addresses, loops, clock);
                keeping.put(upstream, keepers.spawn(keeper::run));
            }
        }
        for (Upstream gone : before.all()) {
            if (next.find(gone.id()) != gone) {
                Task keeper = keeping.remove(gone);
                if (keeper != null) {
                    keeper.stop();
                }
                EventLoop loop = loops.group().next();
                var _ = loop.schedule(gone::retire, lastTry, TimeUnit.NANOSECONDS);
                var _ = loop.schedule(gone::release, 2 * lastTry, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** Moves the clocks of all arbiters; every ten milliseconds or so. */
    public void tick() {
        long now = clock.nanos();
        for (Arbiter arbiter : arbiters.values()) {
            arbiter.tick(now);
        }
    }

    /** Judges whether upstreams are in trouble; about every second, by one task. Returns whether any is. */
    public boolean lookForTrouble(Upstreams all) {
        boolean any = false;
        double full = heap.used();
        for (Upstream upstream : all.all()) {
            troubles.computeIfAbsent(upstream.id(), id -> new Trouble())
                    .look(signals(upstream, full), upstream.shedding(), clock.nanos());
            any |= upstream.shedding().on();
        }
        return any;
    }

    private Trouble.Signals signals(Upstream upstream, double full) {
        ArbiterView view = upstream.arbiter().view(clock.nanos());
        boolean critical = upstream.config().critical();
        return new Trouble.Signals(
                Trouble.backlog(view.tenants(), SEATS),
                critical && upstream.targets().stream().noneMatch(UpstreamTarget::healthy),
                upstream.outcomes().look(LEAST_ANSWERS),
                critical,
                full);
    }

    /** Jobs that wait, at all upstreams. */
    public int waiting() {
        int sum = 0;
        for (Arbiter arbiter : arbiters.values()) {
            sum += arbiter.waiting();
        }
        return sum;
    }

    /** Answers everyone who waits, and lets nobody else in. */
    public void drain() {
        arbiters.values().forEach(arbiter -> arbiter.drain(clock.nanos()));
    }
}
