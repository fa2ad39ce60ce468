package dev.ron.bench.fairness;

import dev.ron.bench.fairness.Flood.Kind;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.http.loop.EventLoops;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * {@code ron bench fairness}: tenant A sends 100 requests a second, tenant B floods in every way there is, and what counts
 * is what A notices; ours beside nginx and HAProxy, in front of the same backend of 8 x 5 ms.
 */
public final class FairnessBench {
    private static final int LOAD_CORE = 1;
    private static final int PER_SECOND = 100;
    private static final int CONNECTIONS = 200;
    private static final int CAPACITY = Backend.WORKERS * 200;

    private final List<String> flags;
    private final boolean quick;
    /** Only the parts that were named: a flood with dashes for blanks, shares, tenants. */
    private final boolean named;

    private final Scorecard card;
    private final Path work;
    private final EventLoops loops = new EventLoops("load", 1);
    private final EventLoop loop = (EventLoop) loops.group().iterator().next();
    private final Class<? extends Channel> type = loops.clientChannel();
    private final Office office = new Office();

    private FairnessBench(List<String> flags, Path work) {
        this.flags = flags;
        this.quick = flags.contains("--quick");
        this.named = flags.stream().anyMatch(flag -> !flag.startsWith("--"));
        this.work = work;
        this.card = new Scorecard(
                "fairness",
                flags,
                "upstream of 8 x 5 ms; A sends 100/s, B floods over 200 connections; proxies on core 0, load and backend on"
                        + " core 1");
    }

    public static void main(String[] args) throws Exception {
        System.exit(new FairnessBench(List.of(args), Scratch.folder("ron-fair")).run());
    }

    /** The load and the backend stay away from the proxies' core. */
    private static void pinSelf() throws IOException, InterruptedException {
        String pid = String.valueOf(ProcessHandle.current().pid());
        new ProcessBuilder("taskset", "-a", "-cp", String.valueOf(LOAD_CORE), pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private int run() throws IOException, InterruptedException {
        pinSelf();
        try (Fronts fronts = new Fronts(work, office)) {
            warmUp();
            keep(Chart.of(floods(fronts, capacity())));
            fronts.awaitIdle();
            if (!named || flags.contains("shares")) {
                shares();
            }
            if (!named || flags.contains("tenants")) {
                tenants();
            }
        } finally {
            loops.close();
        }
        return card.finish();
    }

    private void keep(String chart) throws IOException {
        Path folder = flags.contains("--record") ? Path.of("docs", "bench") : Path.of("target", "bench");
        Path file = Files.createDirectories(folder).resolve("fairness-floods.svg");
        System.out.println("chart: " + Files.writeString(file, chart));
    }

    /** Much traffic before any is measured: the compiler shares the proxy's one core. */
    private void warmUp() throws InterruptedException {
        String a = bearer(office.token("a"));
        try (Flood flood = new Flood(Kind.FAST, type, loop, Fronts.RON, () -> a).start(64)) {
            TimeUnit.SECONDS.sleep(quick ? 10 : 30);
            System.out.println("warmed with " + flood.good() + " requests");
        }
        try (Flood flood = new Flood(Kind.PLAIN, type, loop, Fronts.RON, () -> a).start(64)) {
            new Paced(type, loop, Fronts.RON, get(a)).run(PER_SECOND, 0, quick ? 10 : 20);
            System.out.println("and with " + flood.good() + " slow ones");
        }
        for (Kind kind : List.of(Kind.SLOW_BODIES, Kind.SLOW_READERS, Kind.STREAMS, Kind.FRESH_TOKENS)) {
            try (Flood flood = new Flood(kind, type, loop, Fronts.RON, fields(kind)).start(CONNECTIONS)) {
                TimeUnit.SECONDS.sleep(quick ? 4 : 8);
            }
        }
    }

    /** What the backend gives eight callers who ask it directly: a proxy that holds eight at once cannot get more. */
    private double capacity() throws InterruptedException {
        try (Flood direct = new Flood(Kind.PLAIN, type, loop, Fronts.BACKEND, () -> "").start(Backend.WORKERS)) {
            TimeUnit.SECONDS.sleep(2);
            long before = direct.good();
            int seconds = quick ? 3 : 8;
            TimeUnit.SECONDS.sleep(seconds);
            double rate = (double) (direct.good() - before) / seconds;
            System.out.printf(
                    Locale.ROOT,
                    "the backend, asked by %d callers without a proxy: %.0f/s, by the clock %d%n",
                    Backend.WORKERS,
                    rate,
                    CAPACITY);
            return Math.min(rate, CAPACITY);
        }
    }

    private Map<String, Map<String, Paced.Result>> floods(Fronts fronts, double capacity) throws InterruptedException {
        Map<String, Map<String, Paced.Result>> seen = new LinkedHashMap<>();
        Map<String, Double> alone = new LinkedHashMap<>();
        System.out.printf(
                Locale.ROOT,
                "%-16s %-8s %10s %10s %8s %14s%n",
                "flood",
                "proxy",
                "A p50 ms",
                "A p99 ms",
                "refused",
                "B answered/s");
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.remove(Kind.FAST);
        kinds.removeIf(kind -> named && !flags.contains(kind.words().replace(' ', '-')));
        for (int i = -1; i < kinds.size(); i++) {
            String name = i < 0 ? "none" : kinds.get(i).words();
            for (Map.Entry<String, Integer> front : fronts.ports().entrySet()) {
                Kind kind = i < 0 ? null : kinds.get(i);
                if (kind == Kind.FRESH_TOKENS && !front.getKey().equals("ron")) {
                    continue; // the others know no tokens
                }
                fronts.awaitIdle();
                measure(name, front.getKey(), front.getValue(), kind, seen, alone, capacity);
            }
        }
        return seen;
    }

    private void measure(
            String name,
            String proxy,
            int port,
            @org.jspecify.annotations.Nullable Kind kind,
            Map<String, Map<String, Paced.Result>> seen,
            Map<String, Double> alone,
            double capacity) {
        String a = bearer(office.token("a"));
        double seconds = quick ? 4 : 10;
        double rate = 0;
        Paced.Result result;
        if (kind == null) {
            result = new Paced(type, loop, port, get(a)).run(PER_SECOND, 1, seconds);
        } else {
            // A is known before the flood begins, as a tenant at work is.
            new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, 0.5);
            try (Flood flood = new Flood(kind, type, loop, port, fields(kind)).start(CONNECTIONS)) {
                new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, quick ? 2 : 6);
                long before = flood.good();
                result = new Paced(type, loop, port, get(a)).run(PER_SECOND, 0, seconds);
                rate = (flood.good() - before) / seconds;
            }
        }
        seen.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(proxy, result);
        double p99 = result.millis(0.99);
        System.out.printf(
                Locale.ROOT,
                "%-16s %-8s %10.1f %10.1f %8d %14.0f%n",
                name,
                proxy,
                result.millis(0.5),
                p99,
                result.refused(),
                rate);
        if (!proxy.equals("ron")) {
            return;
        }
        if (kind == null) {
            alone.put(proxy, p99);
            return;
        }
        double most = 2 * alone.getOrDefault(proxy, 0.0) + 5;
        card.atMost(name + ": refusals of A", result.refused(), "", 0);
        card.atMost(name + ": p99 of A", p99, "ms", most);
        if (kind == Kind.PLAIN) {
            card.atLeast(name + ": what B gets", rate, "/s", 0.9 * (capacity - PER_SECOND));
        }
    }

    private Supplier<String> fields(Kind kind) {
        String token = office.token("b");
        if (kind != Kind.FRESH_TOKENS) {
            String bearer = bearer(token);
            return () -> bearer;
        }
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            made.add(bearer(office.attenuated(token)));
        }
        int[] next = new int[1];
        return () -> made.get(next[0]++ % made.size());
    }

    /** Three tenants of 1:2:4 that always have someone waiting. */
    private void shares() throws IOException, InterruptedException {
        List<Flood> floods = new ArrayList<>();
        Map<String, Integer> weights = new LinkedHashMap<>(Map.of("w1", 1, "w2", 2, "w4", 4));
        for (String tenant : weights.keySet()) {
            String bearer = bearer(office.token(tenant));
            floods.add(new Flood(Kind.PLAIN, type, loop, Fronts.RON, () -> bearer).start(100));
        }
        Map<String, Long> before = used(3);
        Map<String, Long> after = used(quick ? 6 : 20);
        floods.forEach(Flood::close);
        double sum = weights.keySet().stream()
                .mapToLong(t -> after.getOrDefault(t, 0L) - before.getOrDefault(t, 0L))
                .sum();
        for (Map.Entry<String, Integer> one : weights.entrySet()) {
            double share = (after.getOrDefault(one.getKey(), 0L) - before.getOrDefault(one.getKey(), 0L)) / sum;
            double ideal = one.getValue() / 7.0;
            double off = Math.abs(share - ideal) / ideal;
            System.out.printf(
                    Locale.ROOT,
                    "quantum %d: %.2f %% of the slot time, ideal %.2f %%%n",
                    one.getValue(),
                    share * 100,
                    ideal * 100);
            card.atMost("quantum " + one.getValue() + ": off its share by", off * 100, "%", 2);
        }
    }

    /** Slot time used so far by each tenant, after so many seconds. */
    private Map<String, Long> used(int seconds) throws IOException, InterruptedException {
        TimeUnit.SECONDS.sleep(seconds);
        return Ops.usedMicros(Fronts.RON + 5, "slow");
    }

    /** Eight tenants over as many connections as one, on a path that costs the backend nothing. */
    private void tenants() {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < (quick ? 1 : 3); round++) {
            double one = rate(1);
            double eight = rate(8);
            ratios.add(eight / one);
        }
        ratios.sort(null);
        double median = ratios.get(ratios.size() / 2);
        card.atLeast("rate of 8 tenants, by the rate of one", median, "x", 0.9);
    }

    private double rate(int tenants) {
        List<Flood> floods = new ArrayList<>();
        for (int i = 0; i < tenants; i++) {
            String bearer = bearer(office.token("t" + tenants + "-" + i));
            floods.add(new Flood(Kind.FAST, type, loop, Fronts.RON, () -> bearer).start(64 / tenants));
        }
        double seconds = quick ? 3 : 8;
        new Paced(type, loop, Fronts.BACKEND, get("")).run(1, 0, 2);
        long before = floods.stream().mapToLong(Flood::good).sum();
        new Paced(type, loop, Fronts.BACKEND, get("")).run(1, 0, seconds);
        long after = floods.stream().mapToLong(Flood::good).sum();
        floods.forEach(Flood::close);
        return (after - before) / seconds;
    }

    private static byte[] get(String fields) {
        return Wire.ascii("GET /slow HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n");
    }

    private static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }
}
