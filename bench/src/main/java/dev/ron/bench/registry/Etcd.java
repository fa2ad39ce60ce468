package dev.ron.bench.registry;

import dev.ron.bench.side.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;

/** The peer: one etcd on the same disk, asked through its own JSON gateway. */
final class Etcd implements AutoCloseable {
    private final int port;
    private final Child child;
    private final AtomicLong changes = new AtomicLong();

    private Etcd(int port, Child child) {
        this.port = port;
        this.child = child;
    }

    static Etcd start(Path folder, int port) throws IOException, InterruptedException {
        String client = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + (port + 1);
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
            try (Wire wire = new Wire(port)) {
                if (wire.post("/v3/kv/put", "", put(0)).status() == 200) {
                    return new Etcd(port, new Child(process));
                }
            } catch (IOException notYet) {
                Thread.sleep(100);
            }
        }
        process.destroyForcibly();
        throw new IOException("etcd does not answer; see " + folder.resolve("etcd.log"));
    }

    private static String put(long n) {
        Base64.Encoder base64 = Base64.getEncoder();
        String key = base64.encodeToString(Council.name(n).getBytes(StandardCharsets.UTF_8));
        String value = base64.encodeToString(
                ("{\"url\":\"http://10.0.0.1:8080/" + n + "\",\"weight\":1}").getBytes(StandardCharsets.UTF_8));
        return "{\"key\":\"" + key + "\",\"value\":\"" + value + "\"}";
    }

    Result puts(int count, int clients) throws Exception {
        AtomicLong left = new AtomicLong(count);
        long ticks = child.ticks();
        Result result = Clients.run(clients, port, (wire, times) -> {
            while (left.decrementAndGet() >= 0) {
                long start = System.nanoTime();
                Wire.Answer answer = wire.post("/v3/kv/put", "", put(changes.incrementAndGet()));
                times.add(System.nanoTime() - start);
                if (answer.status() != 200) {
                    throw new IOException("etcd answered " + answer);
                }
            }
        });
        return result.of(count, child.ticks() - ticks);
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}
