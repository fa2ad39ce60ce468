package dev.ron.gateway.upstream;

import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.http.client.Addresses;
import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what is known about the targets of one upstream up to date: their addresses and, where asked for, their health. */
public final class Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    private static final Duration LOOK_UP_LIMIT = Duration.ofSeconds(2);

    private final Upstream upstream;
    private final Addresses addresses;
    private final EventLoops loops;
    private final Clock clock;
    private final Map<UpstreamTarget, Streak> streaks = new HashMap<>();
    private long lookUpAt;

    /** How many answers in a row were of the same kind. */
    private static final class Streak {
        private boolean good = true;
        private int length;

        int add(boolean well) {
            length = well == good ? length + 1 : 1;
            good = well;
            return length;
        }
    }

    public Keeper(Upstream upstream, Addresses addresses, EventLoops loops, Clock clock) {
        this.upstream = upstream;
        this.addresses = addresses;
        this.loops = loops;
        this.clock = clock;
    }

    /** Looks every name up once, so that the first request finds an address. */
    public void start() {
        lookUp();
    }

    public void run(TaskScope scope) {
        UpstreamConfig.Health health = upstream.config().health();
        Duration dns = upstream.config().dnsInterval();
        Duration beat = health.path().isPresent() && health.interval().compareTo(dns) < 0 ? health.interval() : dns;
        while (scope.sleep(beat)) {
            if (clock.nanos() >= lookUpAt) {
                lookUp();
            }
            health.path().ifPresent(this::probeAll);
        }
    }

    private void lookUp() {
        lookUpAt = clock.nanos() + upstream.config().dnsInterval().toNanos();
        for (UpstreamTarget target : upstream.targets()) {
            try {
                upstream.resolved(
                        target,
                        addresses.resolve(
                                target.target().host(), target.target().port(), Deadline.after(clock, LOOK_UP_LIMIT)));
            } catch (RonException e) {
                // What was known before stays in use: a name server that is away takes nobody down.
                LOG.warn("upstream {}: {}", upstream.id(), e.detail());
            }
        }
    }

    private void probeAll(String path) {
        for (UpstreamTarget target : upstream.targets()) {
            boolean well = probe(target, path);
            int inRow = streaks.computeIfAbsent(target, key -> new Streak()).add(well);
            UpstreamConfig.Health health = upstream.config().health();
            if (inRow == (well ? health.rise() : health.fall())) {
                target.probed(well);
            }
        }
    }

    private boolean probe(UpstreamTarget target, String path) {
        Deadline limit = Deadline.after(clock, upstream.config().health().timeout());
        return target.resolved()
                && new Probe(target, path, limit).well(loops.group().next());
    }
}
