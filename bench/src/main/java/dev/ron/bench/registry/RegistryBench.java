package dev.ron.bench.registry;

import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Undisturbed;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Op;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * {@code ron bench registry}: commits of approved proposals beside etcd's puts, on the same disk in the same run.
 *
 * <p>Both are asked over HTTP/1.1 with JSON by 64 connections; etcd through its own gateway, which is how it speaks JSON.
 */
public final class RegistryBench {
    private static final int PORT = Integer.getInteger("ron.bench.port", 24_300);
    private static final int CLIENTS = 64;
    private static final int READERS = 1_000;
    private static final int DESCRIPTORS = 50_000;

    private final Path folder;
    private final boolean quick;
    private final List<String> parts;
    private final Council council = new Council(new SecureRandom());
    private final Scorecard card;

    private RegistryBench(Path folder, List<String> flags) {
        this.folder = folder;
        this.quick = flags.contains("--quick");
        this.parts = flags.stream().filter(word -> !word.startsWith("--")).toList();
        this.card =
                new Scorecard("registry", flags, "log and etcd on the same disk, both asked over HTTP/1.1 with JSON");
    }

    public static void main(String[] args) throws Exception {
        List<String> options = List.of(args);
        Files.createDirectories(Path.of("target"));
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-registry");
        RegistryBench bench = new RegistryBench(folder, options);
        bench.run();
        System.exit(bench.card.finish());
    }

    private void run() throws Exception {
        if (part("recovery")) {
            recovery();
        }
        if (part("many") || part("one") || part("streams")) {
            load();
        }
    }

    private void load() throws Exception {
        Path log = Files.createDirectories(folder.resolve("registry"));
        council.found(log);
        try (Desk desk = Desk.start(log, PORT, council);
                Etcd etcd = Etcd.start(folder, PORT + 10)) {
            // Until the compiler has come to rest: it takes a third of the processor before.
            desk.commits(quick ? 8_000 : 30_000, CLIENTS);
            etcd.puts(quick ? 8_000 : 30_000, CLIENTS);
            if (part("many")) {
                many(desk, etcd);
            }
            if (part("one")) {
                one(desk, etcd);
            }
            System.out.printf(
                    Locale.ROOT,
                    "whole cycle (propose, 3 approvals, commit): %.0f/s%n",
                    desk.cycle(quick ? 500 : 5_000));
            if (part("streams")) {
                streams(desk);
            }
        }
    }

    private boolean part(String name) {
        return parts.isEmpty() || parts.contains(name);
    }

    /** 50,000 descriptors in fifty commits of a thousand: a genesis that has them all would be read faster. */
    private void recovery() throws Exception {
        Path log = Files.createDirectories(folder.resolve("recovery"));
        council.found(log);
        try (Desk desk = Desk.start(log, PORT, council)) {
            for (int from = 0; from < DESCRIPTORS; from += 1_000) {
                List<Op> ops = new ArrayList<>();
                for (int i = from; i < from + 1_000; i++) {
                    ops.add(new Op.Put("svc." + i, 0, Council.draft(i)));
                }
                desk.change(new Body.Change(ops));
            }
        }
        long start = System.nanoTime();
        try (SegmentStore store = SegmentStore.open(new RealDisk(log), 64L << 20)) {
            Registry registry = Registry.open(store, Limits.DEFAULT).orElseThrow();
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "recovery: %d descriptors, version %d, %.2f s%n",
                    DESCRIPTORS,
                    registry.view().version(),
                    seconds);
            card.atMost(String.format(Locale.ROOT, "%,d descriptors read back", DESCRIPTORS), seconds, "s", 5);
        }
    }

    /** What undisturbed rounds say, sorted. */
    private double[] rounds(double tolerated, Callable<Double> round) throws Exception {
        double[] ratios = new double[quick ? 3 : 5];
        Undisturbed undisturbed = new Undisturbed(tolerated);
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = undisturbed.run(round);
            System.out.printf(Locale.ROOT, "round %d: %.2f%n", i + 1, ratios[i]);
        }
        Arrays.sort(ratios);
        return ratios;
    }

    private void many(Desk desk, Etcd etcd) throws Exception {
        int commits = quick ? 6_000 : 20_000;
        double[] ratios = rounds(0.10, () -> {
            Result ours = desk.commits(commits, CLIENTS);
            Result theirs = etcd.puts(commits, CLIENTS);
            System.out.println("commit " + ours + "\netcd   " + theirs);
            return ours.rate() / theirs.rate();
        });
        card.atLeast(
                "commits, 64 clients",
                ratios[ratios.length / 2],
                ratios[0],
                ratios[ratios.length - 1],
                "x etcd puts",
                1.0);
    }

    /** After each commit one plain fdatasync, so that whatever else the disk does weighs on both. */
    private void one(Desk desk, Etcd etcd) throws Exception {
        int count = quick ? 500 : 2_000;
        List<Double> medians = new ArrayList<>();
        double[] tails = rounds(0.10, () -> {
            try (SyncProbe probe = new SyncProbe(folder.resolve("sync.probe"))) {
                Result commits = desk.commits(count, probe::sync);
                Result sync = probe.result();
                System.out.printf(
                        Locale.ROOT,
                        "one client  commit    %s%n            etcd      %s%n            fdatasync of 4 KiB  p50 %.0f us  p99 %.0f us%n",
                        commits,
                        etcd.puts(count, 1),
                        sync.p50(),
                        sync.p99());
                medians.add(commits.p50() / sync.p50());
                return commits.p99() / sync.p99();
            }
        });
        atMost("commit of one client, median", sorted(medians), "fdatasyncs (medians)", 3);
        atMost("commit of one client, p99", tails, "fdatasyncs (p99)", 3);
    }

    private static double[] sorted(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private void atMost(String what, double[] sorted, String unit, double must) {
        card.atMost(what, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1], unit, must);
    }

    /** 50 commits a second with a thousand readers of the stream, and alone before and after, for the disk drifts. */
    private void streams(Desk desk) throws Exception {
        int commits = quick ? 150 : 500;
        // 50,000 packets a second cost the kernel a tenth of a core that counts as nobody's.
        double[] ratios = rounds(0.25, () -> {
            Result before = desk.paced(commits, 50);
            Result beside = besideReaders(desk, commits);
            Result after = desk.paced(commits, 50);
            System.out.println("50 commits/s before         " + before + "\n50 commits/s after          " + after);
            return beside.p50() / ((before.p50() + after.p50()) / 2);
        });
        atMost("commit beside 1,000 readers, median", ratios, "x alone", 1.1);
    }

    private static Result besideReaders(Desk desk, int commits) throws Exception {
        try (Audience readers = Audience.gather(PORT, READERS)) {
            desk.paced(commits / 2, 50);
            Result beside = desk.paced(commits, 50);
            System.out.printf(
                    Locale.ROOT,
                    "50 commits/s, %,d readers %s, %,d of %,d events heard%n",
                    READERS,
                    beside,
                    readers.leave(),
                    (long) (commits / 2 + commits) * READERS);
            return beside;
        }
    }
}
