package dev.ron.bench;

import dev.ron.bench.side.Machine;
import dev.ron.bench.side.Wire;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.LogKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code ron bench registry}: commits of approved proposals beside etcd's puts, on the same disk in the same run.
 *
 * <p>Both are asked over HTTP/1.1 with JSON by 64 connections; etcd through its own gateway, which is how it speaks JSON.
 */
public final class RegistryBench {
    private static final String ORIGIN = "bench.example/registry";
    private static final int PORT = 24_300;
    private static final int CLIENTS = 64;
    private static final int M = 3;

    private final Path folder;
    private final boolean quick;
    private final List<SignerKey> signers = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();
    private final StringBuilder failures = new StringBuilder();
    private String authorization = "";

    private RegistryBench(Path folder, boolean quick) {
        this.folder = folder;
        this.quick = quick;
        for (int i = 0; i < 5; i++) {
            signers.add(SignerKey.generate("org:o" + i + "#s" + i, false, new SecureRandom()));
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> options = List.of(args);
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-registry");
        RegistryBench bench = new RegistryBench(folder, options.contains("--quick"));
        bench.run();
        if (options.contains("--gate") && !bench.failures.isEmpty()) {
            System.out.print(bench.failures);
            System.exit(1);
        }
        System.exit(0);
    }

    private void run() throws Exception {
        System.out.println(Machine.describe());
        double sync = oneSync();
        System.out.printf(Locale.ROOT, "one fdatasync of 4 KiB: median %.0f us%n", sync);
        recovery();
        int rounds = quick ? 1 : 3;
        int commits = quick ? 2_000 : 20_000;
        double[] ratios = new double[rounds];
        Path log = Files.createDirectories(folder.resolve("registry"));
        create(log, List.of());
        try (Child server = registry(log);
                Child etcd = etcd()) {
            cycle(quick ? 300 : 3_000);
            commits(approved(quick ? 500 : 5_000), CLIENTS, server);
            puts(quick ? 500 : 5_000, CLIENTS, etcd);
            for (int round = 0; round < rounds; round++) {
                Result ours = commits(approved(commits), CLIENTS, server);
                Result theirs = puts(commits, CLIENTS, etcd);
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
            must("commits per etcd put, 64 clients", ratios[rounds / 2], 1.0);
            Result single = commits(approved(quick ? 300 : 2_000), 1, server);
            Result singlePut = puts(quick ? 300 : 2_000, 1, etcd);
            System.out.printf(Locale.ROOT, "one client  commit %s%n            etcd   %s%n", single, singlePut);
            must("three syncs per commit at p99, one client", 3 * sync / single.p99(), 1.0);
            cycle(quick ? 500 : 5_000);
            streams(server);
        }
    }

    private void must(String what, double value, double least) {
        System.out.printf(Locale.ROOT, "%s: %.2f (must: at least %.2f)%n", what, value, least);
        if (value < least) {
            failures.append("below: ").append(what).append('\n');
        }
    }

    // --- the pieces

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

    private void create(Path log, List<Item> items) throws Exception {
        RealDisk disk = new RealDisk(log);
        LogKeys keys = LogKeys.generate(new SecureRandom());
        keys.write(disk);
        ChangeSet genesis = ChangeSet.of(new Body.Genesis(
                ORIGIN,
                keys.verifiers(ORIGIN),
                SignerSet.initial(M, signers.stream().map(SignerKey::signer).toList()),
                items));
        try (SegmentStore store = SegmentStore.open(disk, 64L << 20)) {
            Store.Recovery _ = store.replay((seq, records) -> {});
            Registry.create(store, Limits.DEFAULT, Optional::empty, genesis, System.currentTimeMillis());
        }
    }

    /** 50,000 descriptors: ten thousand in the genesis would be cheating, so they come in fifty commits of a thousand. */
    private void recovery() throws Exception {
        Path log = Files.createDirectories(folder.resolve("recovery"));
        create(log, List.of());
        int descriptors = quick ? 5_000 : 50_000;
        try (Child _ = registry(log)) {
            for (int from = 0; from < descriptors; from += 1_000) {
                List<Op> ops = new ArrayList<>();
                for (int i = from; i < from + 1_000; i++) {
                    ops.add(new Op.Put("svc." + i, 0, draft(i)));
                }
                String id = propose(new Body.Change(ops));
                commit(id);
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
            must("five seconds per recovery", 5 / seconds, 1.0);
        }
    }

    private static Draft draft(long n) {
        return Draft.of(
                "service",
                new ObjWriter()
                        .put("url", "http://10.0.0.1:8080/" + n)
                        .put("weight", 1)
                        .end());
    }

    /** A server that is a process of its own. */
    private record Child(Process process) implements AutoCloseable {
        long ticks() throws IOException {
            String[] stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"))
                    .split(" ", -1);
            return Long.parseLong(stat[13]) + Long.parseLong(stat[14]);
        }

        @Override
        public void close() throws IOException {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private Child registry(Path log) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dron.locks=count",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RegistryServer.class.getName(),
                        log.toString(),
                        Integer.toString(PORT))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("server.log").toFile()))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String[] up = out.readLine().split(" ", -1);
        String order = "{\"subject_ref\":\"bench\",\"audience\":[\"svc-registry\"],\"ttl_s\":3600,"
                + "\"caveats\":[\"scope=registry:propose,registry:approve,registry:commit\"]}";
        try (Wire passport = new Wire(PORT + 1)) {
            String answer = passport.post("/v1/passport/issue", "Authorization: Bearer " + up[2] + "\r\n", order)
                    .body();
            authorization = "Authorization: Bearer " + field(answer, "token") + "\r\n";
        }
        return new Child(process);
    }

    private Child etcd() throws IOException, InterruptedException {
        String client = "http://127.0.0.1:" + (PORT + 10);
        String peer = "http://127.0.0.1:" + (PORT + 11);
        Process process = new ProcessBuilder(
                        "etcd",
                        "--data-dir",
                        folder.resolve("etcd").toString(),
                        "--listen-client-urls",
                        client,
                        "--advertise-client-urls",
                        client,
                        "--listen-peer-urls",
                        peer,
                        "--initial-advertise-peer-urls",
                        peer,
                        "--initial-cluster",
                        "default=" + peer)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("etcd.log").toFile())
                .start();
        for (int i = 0; i < 300; i++) {
            try (Wire wire = new Wire(PORT + 10)) {
                if (wire.post("/v3/kv/put", "", put(0)).status() == 200) {
                    return new Child(process);
                }
            } catch (IOException notYet) {
                Thread.sleep(100);
            }
        }
        throw new IOException("etcd does not answer; see " + folder.resolve("etcd.log"));
    }

    private static String field(String json, String name) {
        int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }

    private Wire.Answer expect(Wire.Answer answer, int status) throws IOException {
        if (answer.status() != status) {
            throw new IOException("expected " + status + ", got " + answer.status() + " " + answer.body());
        }
        return answer;
    }

    // --- the work

    private String propose(Body body) throws IOException {
        try (Wire wire = new Wire(PORT)) {
            return approve(wire, ChangeSet.of(body));
        }
    }

    /** Proposes and has three of five approve. */
    private String approve(Wire wire, ChangeSet payload) throws IOException {
        String json = CanonicalJson.text(
                new ObjWriter().put("payload", payload.toJson()).end());
        String id = field(
                expect(wire.post("/registry/proposals", authorization, json), 202)
                        .body(),
                "proposal_id");
        long now = System.currentTimeMillis();
        for (SignerKey key : signers.subList(0, M)) {
            Approval approval = Approval.sign(
                    new Statement(
                            ORIGIN,
                            id,
                            payload.hash(),
                            Statement.Decision.APPROVE,
                            key.signerId(),
                            1,
                            now,
                            now + 3_600_000),
                    key.signing());
            expect(wire.post("/registry/approvals/" + id, authorization, CanonicalJson.text(approval.toJson())), 200);
        }
        return id;
    }

    private void commit(String id) throws IOException {
        try (Wire wire = new Wire(PORT)) {
            expect(wire.post("/registry/commit/" + id, authorization, "{}"), 201);
        }
    }

    private ConcurrentLinkedQueue<String> approved(int count) throws Exception {
        ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
        AtomicLong left = new AtomicLong(count);
        clients(CLIENTS, PORT, (wire, times) -> {
            while (left.decrementAndGet() >= 0) {
                long n = names.incrementAndGet();
                ids.add(approve(wire, ChangeSet.of(new Body.Change(List.of(new Op.Put("b." + n, 0, draft(n)))))));
            }
        });
        return ids;
    }

    private Result commits(ConcurrentLinkedQueue<String> ids, int clients, Child server) throws Exception {
        int count = ids.size();
        long ticks = server.ticks();
        Result result = clients(clients, PORT, (wire, times) -> {
            for (String id = ids.poll(); id != null; id = ids.poll()) {
                long start = System.nanoTime();
                expect(wire.post("/registry/commit/" + id, authorization, "{}"), 201);
                times.add(System.nanoTime() - start);
            }
        });
        return result.of(count, server.ticks() - ticks);
    }

    private static String put(long n) {
        Base64.Encoder base64 = Base64.getEncoder();
        String key = base64.encodeToString(("b." + n).getBytes(StandardCharsets.UTF_8));
        String value = base64.encodeToString(
                ("{\"url\":\"http://10.0.0.1:8080/" + n + "\",\"weight\":1}").getBytes(StandardCharsets.UTF_8));
        return "{\"key\":\"" + key + "\",\"value\":\"" + value + "\"}";
    }

    private Result puts(int count, int clients, Child etcd) throws Exception {
        AtomicLong left = new AtomicLong(count);
        long ticks = etcd.ticks();
        Result result = clients(clients, PORT + 10, (wire, times) -> {
            while (left.decrementAndGet() >= 0) {
                long start = System.nanoTime();
                expect(wire.post("/v3/kv/put", "", put(names.incrementAndGet())), 200);
                times.add(System.nanoTime() - start);
            }
        });
        return result.of(count, etcd.ticks() - ticks);
    }

    /** Propose, approve three times, commit: every step over HTTP and durable. */
    private void cycle(int count) throws Exception {
        long start = System.nanoTime();
        ConcurrentLinkedQueue<String> ids = approved(count);
        clients(CLIENTS, PORT, (wire, times) -> {
            for (String id = ids.poll(); id != null; id = ids.poll()) {
                expect(wire.post("/registry/commit/" + id, authorization, "{}"), 201);
            }
        });
        System.out.printf(
                Locale.ROOT,
                "whole cycle (propose, 3 approvals, commit): %.0f/s%n",
                count / ((System.nanoTime() - start) / 1e9));
    }

    /** 50 commits a second, alone and with a thousand readers of the stream. */
    private void streams(Child server) throws Exception {
        int commits = quick ? 100 : 500;
        Result alone = paced(approved(commits), server);
        List<Wire> readers = new ArrayList<>();
        AtomicLong heard = new AtomicLong();
        for (int i = 0; i < (quick ? 200 : 1_000); i++) {
            Wire reader = new Wire(PORT);
            reader.send("GET /registry/stream HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
            readers.add(reader);
            Thread.ofVirtual().start(() -> listen(reader, heard));
        }
        Result beside = paced(approved(commits), server);
        System.out.printf(
                Locale.ROOT,
                "50 commits/s alone        %s%n50 commits/s, %d readers %s, %d events heard%n",
                alone,
                readers.size(),
                beside,
                heard.get());
        must("median commit alone per median with readers", alone.p50() / beside.p50(), 0.9);
        for (Wire reader : readers) {
            reader.close();
        }
    }

    private static void listen(Wire reader, AtomicLong heard) {
        try {
            while (true) {
                if (reader.line().equals("event: registry.update")) {
                    heard.incrementAndGet();
                }
            }
        } catch (IOException ended) {
            heard.addAndGet(0);
        }
    }

    private Result paced(ConcurrentLinkedQueue<String> ids, Child server) throws Exception {
        int count = ids.size();
        long ticks = server.ticks();
        Result result = clients(1, PORT, (wire, times) -> {
            long next = System.nanoTime();
            for (String id = ids.poll(); id != null; id = ids.poll()) {
                long wait = next - System.nanoTime();
                if (wait > 0) {
                    Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                }
                next += 20_000_000;
                long start = System.nanoTime();
                expect(wire.post("/registry/commit/" + id, authorization, "{}"), 201);
                times.add(System.nanoTime() - start);
            }
        });
        return result.of(count, server.ticks() - ticks);
    }

    @FunctionalInterface
    private interface Client {
        void run(Wire wire, ConcurrentLinkedQueue<Long> times) throws Exception;
    }

    private static Result clients(int count, int port, Client client) throws Exception {
        ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Exception> failed = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Thread.ofVirtual().start(() -> {
                try (Wire wire = new Wire(port)) {
                    client.run(wire, times);
                } catch (Exception e) {
                    failed.add(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        if (!failed.isEmpty()) {
            throw failed.peek();
        }
        return new Result(
                times.size(),
                System.nanoTime() - start,
                0,
                times.stream().sorted().toList());
    }

    /** How a run went; latencies in microseconds. */
    private record Result(int count, long nanos, long ticks, List<Long> times) {
        Result of(int done, long cpuTicks) {
            return new Result(done, nanos, cpuTicks, times);
        }

        double rate() {
            return count / (nanos / 1e9);
        }

        double p50() {
            return at(0.5);
        }

        double p99() {
            return at(0.99);
        }

        private double at(double share) {
            return times.isEmpty()
                    ? 0
                    : times.get((int) Math.min(times.size() - 1L, (long) (share * times.size()))) / 1e3;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%7.0f/s  p50 %.0f us  p99 %.0f us  cpu %.0f us each",
                    rate(),
                    p50(),
                    p99(),
                    ticks * 10_000.0 / Math.max(1, count));
        }
    }
}
