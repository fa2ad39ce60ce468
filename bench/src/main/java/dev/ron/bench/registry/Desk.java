package dev.ron.bench.registry;

import dev.ron.bench.side.Wire;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Op;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A registry in a process of its own, and those who propose, approve and commit over HTTP. */
final class Desk implements AutoCloseable {
    private static final int CLIENTS = 64;
    private static final AtomicLong CHANGES = new AtomicLong();

    private final int port;
    private final Council council;
    private final Child child;
    private final String authorization;

    private Desk(int port, Council council, Child child, String authorization) {
        this.port = port;
        this.council = council;
        this.child = child;
        this.authorization = authorization;
    }

    static Desk start(Path log, int port, Council council) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                // Twenty thousand proposals wait at once: with half of it a full collection of most of a second was
                // seen
                // inside a measured round. etcd has no bound.
                "-Xms1g",
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-Dcom.amazon.corretto.crypto.provider.useExternalLib=true",
                "-Dcom.amazon.corretto.crypto.provider.registerEdKeyFactory=true",
                "-Dio.netty.leakDetectionLevel=disabled",
                "-Dron.locks=count",
                "-cp",
                System.getProperty("java.class.path"),
                RegistryServer.class.getName(),
                log.toString(),
                Integer.toString(port));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        log.resolveSibling("server.log").toFile()))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String up = out.readLine();
        if (up == null) {
            throw new IOException("the registry did not start; see " + log.resolveSibling("server.log"));
        }
        String order = "{\"subject_ref\":\"bench\",\"audience\":[\"svc-registry\"],\"ttl_s\":3600,"
                + "\"caveats\":[\"scope=registry:propose,registry:approve,registry:commit\"]}";
        try (Wire passport = new Wire(port + 1)) {
            String answer = passport.post(
                            "/v1/passport/issue", "Authorization: Bearer " + up.split(" ", -1)[2] + "\r\n", order)
                    .body();
            return new Desk(
                    port, council, new Child(process), "Authorization: Bearer " + field(answer, "token") + "\r\n");
        }
    }

    private static String field(String json, String name) {
        int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }

    private static Wire.Answer expect(Wire.Answer answer, int status) throws IOException {
        if (answer.status() != status) {
            throw new IOException("expected " + status + ", got " + answer.status() + " " + answer.body());
        }
        return answer;
    }

    /** One change from proposal to commit. */
    void change(Body body) throws IOException {
        try (Wire wire = new Wire(port)) {
            commit(wire, approve(wire, ChangeSet.of(body)));
        }
    }

    private String approve(Wire wire, ChangeSet payload) throws IOException {
        String json = CanonicalJson.text(
                new ObjWriter().put("payload", payload.toJson()).end());
        String id = field(
                expect(wire.post("/registry/proposals", authorization, json), 202)
                        .body(),
                "proposal_id");
        for (Approval approval : council.approvals(id, payload)) {
            expect(wire.post("/registry/approvals/" + id, authorization, CanonicalJson.text(approval.toJson())), 200);
        }
        return id;
    }

    private void commit(Wire wire, String id) throws IOException {
        expect(wire.post("/registry/commit/" + id, authorization, "{}"), 201);
    }

    /** Proposals that need nothing more than their commit. */
    ConcurrentLinkedQueue<String> approved(int count) throws Exception {
        ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
        AtomicLong left = new AtomicLong(count);
        Clients.run(CLIENTS, port, (wire, times) -> {
            while (left.decrementAndGet() >= 0) {
                long n = CHANGES.getAndIncrement();
                // No name stands twice among those that wait, for there are more names than that.
                Op put = new Op.Put(Council.name(n), n / Council.NAMES, Council.draft(n));
                ids.add(approve(wire, ChangeSet.of(new Body.Change(List.of(put)))));
            }
        });
        return ids;
    }

    /** Commits what was approved before. */
    Result commits(int count, int clients) throws Exception {
        return timed(approved(count), clients, 0, () -> {});
    }

    /** One caller commits; between two commits it does something else. */
    Result commits(int count, Between between) throws Exception {
        return timed(approved(count), 1, 0, between);
    }

    /** One caller commits at an even pace. */
    Result paced(int count, int perSecond) throws Exception {
        return timed(approved(count), 1, 1_000_000_000L / perSecond, () -> {});
    }

    /** What is done between two commits. */
    @FunctionalInterface
    interface Between {
        void run() throws IOException;
    }

    private Result timed(ConcurrentLinkedQueue<String> ids, int clients, long every, Between between) throws Exception {
        int count = ids.size();
        long ticks = child.ticks();
        Result result = Clients.run(clients, port, (wire, times) -> {
            long next = System.nanoTime();
            for (String id = ids.poll(); id != null; id = ids.poll()) {
                long wait = every == 0 ? 0 : next - System.nanoTime();
                if (wait > 0) {
                    Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
                }
                next += every;
                long start = System.nanoTime();
                commit(wire, id);
                times.add(System.nanoTime() - start);
                between.run();
            }
        });
        return result.of(count, child.ticks() - ticks);
    }

    /** Propose, approve three times, commit: every step over HTTP and durable; how many a second. */
    double cycle(int count) throws Exception {
        long start = System.nanoTime();
        ConcurrentLinkedQueue<String> ids = approved(count);
        Clients.run(CLIENTS, port, (wire, times) -> {
            for (String id = ids.poll(); id != null; id = ids.poll()) {
                commit(wire, id);
            }
        });
        return count / ((System.nanoTime() - start) / 1e9);
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}
