package dev.ron.gateway;

import dev.ron.gateway.arbiter.ArbiterView;
import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.arbiter.TenantView;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.proxy.Shared;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.Yard;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is looked at once a second, and the latest of it. */
final class Sampler {
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final int WINDOW = 60;

    private final Shared shared;
    private final ProxyHandler proxy;
    private final Yard yard;
    private final EventLog events;
    private final Mailbox<Sample> ticks;
    private final Clock clock;
    private final Snapshot<Sample> latest = new Snapshot<>(new Sample(Map.of(), 0, false));
    private final Map<String, Boolean> shedding = new HashMap<>();
    private final Map<String, ArrayDeque<Map<TenantKey, TenantView>>> history = new HashMap<>();

    /**
     * One look.
     *
     * @param shareError how far any tenant that waited all the time is from its share, at the worst upstream
     */
    record Sample(Map<String, ArbiterView> upstreams, double shareError, boolean degraded) {}

    Sampler(Shared shared, ProxyHandler proxy, Yard yard, EventLog events, Mailbox<Sample> ticks, Clock clock) {
        this.shared = shared;
        this.proxy = proxy;
        this.yard = yard;
        this.events = events;
        this.ticks = ticks;
        this.clock = clock;
    }

    Sample latest() {
        return latest.get();
    }

    void sample(TaskScope scope) {
        while (scope.sleep(BEAT)) {
            boolean degraded = yard.lookForTrouble(proxy.parts().upstreams());
            tellEdges();
            shared.streams().review(shared.door(), clock.now().getEpochSecond());
            shared.accounts().sweep();
            shared.allowances().sweep();
            proxy.parts().sweep();
            ticks.trySend(look(degraded));
        }
    }

    /** Takes what the sampler found; the newest counts. */
    void publish(TaskScope scope) {
        while (true) {
            Optional<Delivery<Sample>> next = ticks.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            latest.publish(next.get().item());
        }
    }

    private void tellEdges() {
        for (Upstream upstream : proxy.parts().upstreams().all()) {
            boolean on = upstream.shedding().on();
            boolean before = shedding.getOrDefault(upstream.id(), false);
            shedding.put(upstream.id(), on);
            if (on != before) {
                events.publish(new GatewayEvent.Degraded(
                        upstream.id(), on, upstream.shedding().why()));
            }
        }
    }

    private Sample look(boolean degraded) {
        Map<String, ArbiterView> views = new LinkedHashMap<>();
        double worst = 0;
        for (Upstream upstream : proxy.parts().upstreams().all()) {
            ArbiterView view = upstream.arbiter().view(clock.nanos());
            views.put(upstream.id(), view);
            worst = Math.max(worst, shareError(upstream.id(), view));
        }
        return new Sample(views, worst, degraded);
    }

    /** How far the slot time of tenants that always had someone waiting is from their shares. */
    private double shareError(String upstream, ArbiterView view) {
        ArrayDeque<Map<TenantKey, TenantView>> past = history.computeIfAbsent(upstream, id -> new ArrayDeque<>());
        Map<TenantKey, TenantView> now = new HashMap<>();
        view.tenants().stream().filter(tenant -> tenant.waiting() > 0).forEach(tenant -> now.put(tenant.key(), tenant));
        past.addLast(now);
        if (past.size() > WINDOW) {
            past.removeFirst();
        }
        Map<TenantKey, TenantView> first = past.getFirst();
        List<TenantView> busy = now.values().stream()
                .filter(tenant -> past.stream().allMatch(look -> look.containsKey(tenant.key())))
                .toList();
        if (past.size() < WINDOW || busy.size() < 2) {
            return 0;
        }
        double used = 0;
        double weights = 0;
        for (TenantView tenant : busy) {
            used += used(first, tenant);
            weights += tenant.weight();
        }
        double worst = 0;
        for (TenantView tenant : busy) {
            double ideal = used * tenant.weight() / weights;
            worst = Math.max(worst, ideal == 0 ? 0 : Math.abs(used(first, tenant) - ideal) / ideal);
        }
        return worst;
    }

    private static double used(Map<TenantKey, TenantView> first, TenantView now) {
        TenantView then = first.get(now.key());
        return then == null ? 0 : now.slotMicros() - then.slotMicros();
    }
}
