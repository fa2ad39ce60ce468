package dev.ron.service.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What a set of keys adds up to; a pure function of their states. */
public record ReadyView(List<KeyState> keys, Instant since) {

    public ReadyView {
        keys = keys.stream().sorted(Comparator.comparing(KeyState::name)).toList();
    }

    public static ReadyView of(List<KeyState> keys, Instant since) {
        return new ReadyView(keys, since);
    }

    /** Several services as one: each key under its service's name, ready only where all are. */
    public static ReadyView combined(ReadyView process, Map<String, ReadyView> services) {
        ReadyView all = process;
        for (Map.Entry<String, ReadyView> e : services.entrySet()) {
            all = all.and(e.getValue().under(e.getKey()));
        }
        return all;
    }

    private ReadyView under(String service) {
        List<KeyState> named = keys.stream()
                .map(k -> new KeyState(service + "." + k.name(), k.need(), k.met(), k.cause()))
                .toList();
        return new ReadyView(named, since);
    }

    /** Both at once: ready only where both are. */
    public ReadyView and(ReadyView other) {
        List<KeyState> all = new ArrayList<>(keys);
        all.addAll(other.keys);
        return new ReadyView(all, other.since.isAfter(since) ? other.since : since);
    }

    /** Can serve reads. */
    public boolean ready() {
        return keys.stream().allMatch(k -> k.met() || k.need() == Need.WRITE);
    }

    /** Can take writes, which need whatever reads need too. */
    public boolean writeReady() {
        return keys.stream().allMatch(KeyState::met);
    }

    /** Reads go on, writes are refused. */
    public boolean degraded() {
        return ready() && !writeReady();
    }

    public List<KeyState> missing() {
        return keys.stream().filter(k -> !k.met()).toList();
    }

    /** Seconds until it is worth asking again: longer where something outside is missing. */
    public int retryAfterSeconds() {
        return missing().stream().anyMatch(k -> k.name().contains("dep:")) ? 5 : 1;
    }
}
