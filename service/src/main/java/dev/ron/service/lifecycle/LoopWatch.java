package dev.ron.service.lifecycle;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.loop.LoopLag;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Watches event loops: how late they are is a gauge, and a loop that is stuck makes the process unready. */
final class LoopWatch {
    private static final Duration STUCK = Duration.ofSeconds(1);

    private final List<EventLoops> groups = new CopyOnWriteArrayList<>();

    void add(EventLoops loops) {
        groups.add(loops);
    }

    List<KeyState> keys() {
        return groups.stream()
                .map(g -> {
                    boolean stuck = g.stalled(STUCK);
                    return new KeyState("loops:" + g.name(), Need.READ, !stuck, stuck ? "an event loop is stuck" : "");
                })
                .toList();
    }

    Map<String, Double> lagSeconds() {
        Map<String, Double> lags = new HashMap<>();
        for (EventLoops g : groups) {
            for (LoopLag lag : g.lag()) {
                lags.put(lag.loop(), lag.now() / 1e9);
            }
        }
        return lags;
    }
}
