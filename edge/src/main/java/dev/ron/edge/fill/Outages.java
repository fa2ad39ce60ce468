package dev.ron.edge.fill;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.http.client.Target;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Breaker;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A breaker for each origin. One that takes connections and says nothing holds a worker for as long as an attempt may last;
 * a few objects of it that are asked for would hold all of them, and those of other origins wait behind.
 */
final class Outages {
    /** Half of at least six attempts without an answer; then one is let through every second, later every five. */
    private static final Breaker.Policy POLICY = new Breaker.Policy(
            Duration.ofSeconds(30),
            6,
            50,
            Duration.ofDays(1), // how long an answer takes says nothing here
            100,
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            1);

    private final Map<Target, Breaker> breakers = new HashMap<>();
    private final Clock clock;

    Outages(Collection<FillRouteConfig> routes, Clock clock, Meter meter) {
        this.clock = clock;
        for (FillRouteConfig route : routes) {
            breakers.computeIfAbsent(
                    Target.of(route.base().toString()),
                    origin -> new Breaker(origin.authority(), POLICY, clock, meter));
        }
    }

    /** Makes an attempt, or refuses where the origin has not answered lately; what it answered, if it did, says nothing. */
    Filled attempt(Target origin, Supplier<Filled> attempt) {
        Breaker breaker = breakers.get(origin);
        if (breaker == null) {
            throw new IllegalArgumentException(origin + " is the origin of no route");
        }
        breaker.enter();
        long began = clock.nanos();
        boolean told = false;
        try {
            Filled filled = attempt.get();
            breaker.succeeded(clock.nanos() - began);
            told = true;
            return filled;
        } catch (RonException why) {
            switch (why.code()) {
                case UPSTREAM_TIMEOUT, UPSTREAM_CONNECT -> breaker.failed(clock.nanos() - began, why);
                case CANCELED, DRAINING -> breaker.canceled();
                default -> breaker.succeeded(clock.nanos() - began);
            }
            told = true;
            throw why;
        } finally {
            if (!told) {
                breaker.canceled();
            }
        }
    }

    /** By origin: 0 closed, 1 half-open, 2 open. */
    Map<String, Integer> states() {
        Map<String, Integer> states = new TreeMap<>();
        breakers.forEach((origin, breaker) -> states.put(origin.authority(), breaker.state()));
        return states;
    }
}
