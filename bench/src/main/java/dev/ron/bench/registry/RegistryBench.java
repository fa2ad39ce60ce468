package dev.ron.bench.registry;

import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Wire;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Op;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code ron bench registry}: commits of approved proposals beside etcd's puts, on the same disk in the same run.
 *
 * <p>Both are asked over HTTP/1.1 with JSON by 64 connections; etcd through its own gateway, which is how it speaks JSON.
 */
public final class RegistryBench {
    private static final int PORT = Integer.getInteger("ron.bench.port", 24_300);
    private static final int CLIENTS = 64;

    private final Path folder;
    private final boolean quick;
    private final Council council = new Council(new SecureRandom());
    private final Scorecard card;

    private RegistryBench(Path folder, List<String> flags) {
        this.folder = folder;
        this.quick = flags.contains("--quick");
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
        recovery();
        Path log = Files.createDirectories(folder.resolve("registry"));
        council.found(log);
        try (Desk desk = Desk.start(log, PORT, council);
                Etcd etcd = Etcd.start(folder, PORT + 10)) {
            desk.commits(quick ? 2_000 : 5_000, CLIENTS);
            etcd.puts(quick ? 2_000 : 5_000, CLIENTS);
            many(desk, etcd);
            one(desk, etcd);
            System.out.printf(
                    Locale.ROOT,
                    "whole cycle (propose, 3 approvals, commit): %.0f/s%n",
                    desk.cycle(quick ? 500 : 5_000));
            streams(desk);
        }
    }

    /** 50,000 descriptors in fifty commits of a thousand: a genesis that has them all would be read faster. */
    private void recovery() throws Exception {
        Path log = Files.createDirectories(folder.resolve("recovery"));
        council.found(log);
        int descriptors = quick ? 5_000 : 50_000;
        try (Desk desk = Desk.start(log, PORT, council)) {
            for (int from = 0; from < descriptors; from += 1_000) {
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
                    descriptors,
                    registry.view().version(),
                    seconds);
            card.atMost(String.format(Locale.ROOT, "%,d descriptors read back", descriptors), seconds, "s", 5);
        }
    }

    private void many(Desk desk, Etcd etcd) throws Exception {
        int rounds = quick ? 3 : 5;
        int commits = quick ? 4_000 : 20_000;
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            Result ours = desk.commits(commits, CLIENTS);
            Result theirs = etcd.puts(commits, CLIENTS);
            ratios[round] = ours.rate() / theirs.rate();
            System.out.printf(
                    Locale.ROOT,
                    "round %d  commit %s%n         etcd   %s%n         ratio  %.2f%n",
                    round + 1,
                    ours,
                    theirs,
                    ratios[round]);
        }
        Arrays.sort(ratios);
        card.atLeast("commits, 64 clients", ratios[rounds / 2], ratios[0], ratios[rounds - 1], "x etcd puts", 1.0);
    }

    private void one(Desk desk, Etcd etcd) throws Exception {
        int count = quick ? 300 : 2_000;
        // Beside the commits, so that whatever else the disk does weighs on both.
        double before = oneSync();
        Result commits = desk.commits(count, 1);
        double sync = (before + oneSync()) / 2;
        System.out.printf(
                Locale.ROOT,
                "one fdatasync of 4 KiB: median %.0f us%none client  commit %s%n            etcd   %s%n",
                sync,
                commits,
                etcd.puts(count, 1));
        card.atMost("commit of one client, p99", commits.p99() / sync, "fdatasyncs", 3);
    }

    private double oneSync() throws IOException {
        Path file = folder.resolve("sync.probe");
        long[] times = new long[200];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8 << 20), 0);
            channel.force(true);
            for (int i = 0; i < times.length; i++) {
                channel.write(ByteBuffer.allocate(4096), i * 4096L);
                long start = System.nanoTime();
                channel.force(false);
                times[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(times);
        return times[times.length / 2] / 1e3;
    }

    /** 50 commits a second, alone and with a thousand readers of the stream. */
    private void streams(Desk desk) throws Exception {
        int commits = quick ? 100 : 500;
        Result alone = desk.paced(commits, 50);
        List<Wire> readers = new ArrayList<>();
        AtomicLong heard = new AtomicLong();
        for (int i = 0; i < 1_000; i++) {
            readers.add(desk.reader(heard));
        }
        Result beside = desk.paced(commits, 50);
        System.out.printf(
                Locale.ROOT,
                "50 commits/s alone        %s%n50 commits/s, %d readers %s, %d events heard%n",
                alone,
                readers.size(),
                beside,
                heard.get());
        card.atMost("commit beside 1,000 readers, median", beside.p50() / alone.p50(), "x alone", 1.1);
        for (Wire reader : readers) {
            reader.close();
        }
    }
}
