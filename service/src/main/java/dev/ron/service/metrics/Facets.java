package dev.ron.service.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The work of a service broken down by tenant, route or pack, with a bounded number of series.
 *
 * <p>The first names get a place of their own, later ones are counted as {@code other}. At each scrape the busiest of
 * the others may take the place of a name that is clearly less busy, so the names shown tend to the top. No number moves
 * from one series to another: each one only grows while it exists, as a counter must.
 */
public final class Facets {
    private static final int MAX_NAME = 96;
    private static final String OTHER = "other";

    private final ServiceMetrics service;
    private final String kind;
    private final int limit;
    private final Counter requests;
    private final Durations latency;
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final AtomicInteger taken = new AtomicInteger();
    private final Map<String, LongAdder> waiting = new ConcurrentHashMap<>();
    private final AtomicBoolean settling = new AtomicBoolean();
    private final Place other;

    Facets(ServiceMetrics service, String kind, int limit) {
        this.service = service;
        this.kind = kind;
        this.limit = limit;
        this.requests = service.rawCounter(
                "ron_facet_requests_total", "Requests by a named slice of the work.", "facet", "result");
        this.latency = service.rawDurations("ron_facet_latency_seconds", "Latency by a named slice.", "facet");
        this.other = new Place(label(OTHER));
        service.facetGauges(this);
    }

    /** One piece of work of a facet; end it exactly once. */
    public static final class Call {
        private final Place place;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Call(Place place) {
            this.place = place;
        }

        public void end(boolean ok, long nanos) {
            if (open.compareAndSet(true, false)) {
                place.inflight.decrementAndGet();
                (ok ? place.ok : place.error).inc();
                place.latencies.record(nanos);
            }
        }
    }

    private final class Place {
        final String label;
        final CounterDataPoint ok;
        final CounterDataPoint error;
        final Durations.Series latencies;
        final AtomicInteger inflight = new AtomicInteger();
        final LongAdder begun = new LongAdder();

        Place(String label) {
            this.label = label;
            this.ok = requests.labelValues(service.withValues(label, "ok"));
            this.error = requests.labelValues(service.withValues(label, "error"));
            this.latencies = latency.of(service.withValues(label));
        }

        void remove() {
            requests.remove(service.withValues(label, "ok"));
            requests.remove(service.withValues(label, "error"));
            latency.remove(service.withValues(label));
        }
    }

    public Call begin(String spelled) {
        String name = clean(spelled);
        Place place = places.get(name);
        if (place == null) {
            place = admitted(name);
        }
        place.begun.increment();
        place.inflight.incrementAndGet();
        return new Call(place);
    }

    private Place admitted(String name) {
        if (name.equals(OTHER)) {
            return other;
        }
        // The place is counted before it is made, so there are never more than the limit.
        if (taken.getAndUpdate(n -> Math.min(n + 1, limit)) < limit) {
            Place fresh = new Place(label(name));
            Place earlier = places.putIfAbsent(name, fresh);
            if (earlier != null) {
                taken.decrementAndGet();
                return earlier;
            }
            return fresh;
        }
        LongAdder seen = waiting.get(name);
        if (seen != null) {
            seen.increment();
        } else if (waiting.size() < 4 * limit) {
            waiting.computeIfAbsent(name, n -> new LongAdder()).increment();
        }
        return other;
    }

    /** What runs now, by label; also the moment at which places change hands. */
    Map<List<String>, Number> inflight() {
        settle();
        Map<List<String>, Number> now = new HashMap<>();
        places.values().forEach(p -> now.put(List.of(p.label), p.inflight.get()));
        now.put(List.of(other.label), other.inflight.get());
        return now;
    }

    private void settle() {
        if (!settling.compareAndSet(false, true)) {
            return;
        }
        try {
            List<Map.Entry<String, LongAdder>> busiest = waiting.entrySet().stream()
                    .sorted(Comparator.comparingLong(e -> -e.getValue().sum()))
                    .toList();
            Map<String, Long> activity = new HashMap<>();
            places.forEach((name, p) -> activity.put(name, p.begun.sumThenReset()));
            for (Map.Entry<String, LongAdder> candidate : busiest) {
                Optional<Map.Entry<String, Long>> least =
                        activity.entrySet().stream().min(Map.Entry.comparingByValue());
                // Twice as busy, not just busier: two equal names must not take turns at every scrape.
                if (least.isEmpty()
                        || candidate.getValue().sum() <= 2 * least.get().getValue()) {
                    break;
                }
                String loser = least.get().getKey();
                activity.remove(loser);
                Optional.ofNullable(places.remove(loser)).ifPresent(Place::remove);
                places.put(candidate.getKey(), new Place(label(candidate.getKey())));
            }
            waiting.clear();
        } finally {
            settling.set(false);
        }
    }

    private String label(String name) {
        return kind + "/" + name;
    }

    // Names are cleaned before they are looked up: two that end in the same label must share one place.
    private String clean(String name) {
        int max = MAX_NAME - kind.length() - 1;
        if (name.length() <= max && name.chars().allMatch(c -> c >= ' ' && c < 127)) {
            return name;
        }
        return name.codePoints()
                .map(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF) ? '?' : c)
                .limit(max)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
