package dev.ron.bench;

import dev.ron.bench.side.Machine;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.bench.side.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ron bench node}: from {@code ./ron up} until all five services are ready, and what they hold when nobody asks. */
public final class NodeBench {
    private static final int PORT_BASE = 28_800;
    private static final int OPS = PORT_BASE + 5;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Path work;

    private NodeBench(Path work) {
        this.work = work;
    }

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        boolean quick = flags.contains("--quick");
        NodeBench bench = new NodeBench(Scratch.folder("ron-bench"));
        bench.ron("warm").waitFor();
        List<Double> millis = new ArrayList<>();
        double resident = 0;
        for (int round = 0; round < (quick ? 3 : 7); round++) {
            Process node = bench.ron("up", "--port-base", String.valueOf(PORT_BASE), "--data", bench.work + "/data");
            try {
                millis.add(bench.untilReady(node));
                System.out.printf("start %d: ready after %.0f ms%n", round + 1, millis.getLast());
                TimeUnit.SECONDS.sleep(quick ? 5 : 20);
                resident = Math.max(resident, Machine.residentMib(node.pid()));
            } finally {
                bench.stop(node);
            }
        }
        Collections.sort(millis);
        System.exit(
                new Scorecard("node", flags, "./ron up with all five services and the demo, second and later starts")
                        .atMost("from the command to ready, warm (median)", millis.get(millis.size() / 2), "ms", 2_000)
                        .atMost("resident when idle (largest)", resident, "MiB", 400)
                        .finish());
    }

    private Process ron(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("./ron"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(work.resolve("ron.log").toFile()))
                .start();
    }

    /** Milliseconds; the launcher becomes the node, so that its process is the node's. */
    private double untilReady(Process node) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            try (Wire wire = new Wire(OPS)) {
                if (wire.get("/readyz").status() == 200) {
                    return (System.nanoTime() - start) / 1e6;
                }
            } catch (IOException _) {
                if (!node.isAlive()) {
                    throw new IOException("the node did not start: " + Files.readString(work.resolve("ron.log")));
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new IOException("the node was not ready in time: " + Files.readString(work.resolve("ron.log")));
    }

    private void stop(Process node) throws IOException, InterruptedException {
        node.destroy();
        if (!node.waitFor(30, TimeUnit.SECONDS)) {
            node.destroyForcibly();
            throw new IOException("the node did not stop");
        }
    }
}
