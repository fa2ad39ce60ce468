package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.metrics.Metrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tiles while the threads that read files are held. */
@Timeout(60)
class TilesTest {
    private static final TileCoord AT = new TileCoord(1, 0, 0);
    private static final int HITS = 1000;

    @TempDir
    Path folder;

    private final Mounts mounts = new Mounts();
    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("files", 1, 16), supervisor, Meter.none());
    private final HotCache cache = new HotCache(64 << 20);
    private final Room room = new Room(64 << 20);
    private final Permits permits = new Permits("inflight", 16);
    private final CountDownLatch release = new CountDownLatch(1);
    private final TestHost host = TestHost.with(routes -> routes.add(
            List.of("GET", "HEAD"),
            "/edge/tiles/{pack}/{z}/{x}/{y}",
            new Tiles(
                    mounts,
                    cache,
                    room,
                    new Cold(lane, permits),
                    new Sender(false, true, lane, room, Duration.ofSeconds(5), Meter.none()),
                    new Served(new Metrics().service("edge")),
                    () -> new Tiles.Rules(204, "public, max-age=3600", 10 << 20))));

    @AfterEach
    void stop() {
        release.countDown();
        host.close();
        mounts.close();
        cache.clear();
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofMinutes(1))))
                .isTrue();
    }

    private void publish(TileType type, Coding coding, TileCoord at, byte[] plain) throws IOException {
        Path half = folder.resolve("half.pmtiles");
        ArchiveSpec spec = ArchiveSpec.of(type, coding, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(half, spec)) {
            writer.add(at, Packing.pack(coding, plain));
            writer.finish();
        }
        Path pack = folder.resolve("p.pmtiles");
        Files.move(half, pack, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        mounts.mount("p", PackOpener.DEFAULT.open(pack));
    }

    private void holdTheReaders() {
        lane.submit(() -> {
            release.await();
            return 0;
        });
        Eventually.await("the job is under way", () -> lane.jobs().depth() == 0);
    }

    private static byte[] plain(String text) {
        return ("\u001a " + text).repeat(100).getBytes(StandardCharsets.UTF_8);
    }

    // a request of a plain pack | the pack is replaced by one in gzip | it is read  ->  plain: gzip was not accepted
    @Test
    void aTileOfASuccessorIsInACodingThatWasAccepted() throws Exception {
        publish(TileType.MVT, Coding.NONE, AT, plain("one"));
        holdTheReaders();
        try (RawClient client = host.client()) {
            client.get("/edge/tiles/p/1/0/0.mvt");
            Eventually.await("it waits", () -> lane.jobs().depth() == 1);
            publish(TileType.MVT, Coding.GZIP, AT, plain("two"));
            release.countDown();
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Content-Encoding")).isEmpty();
            assertThat(answer.body()).isEqualTo(new String(plain("two"), StandardCharsets.ISO_8859_1));
        }
    }

    // a request of one pack | the pack is replaced by one of other zooms, then of another type  ->  404, and 400
    @Test
    void aRequestThatDoesNotFitASuccessorIsRefused() throws Exception {
        publish(TileType.MVT, Coding.NONE, AT, plain("one"));
        holdTheReaders();
        try (RawClient client = host.client()) {
            client.get("/edge/tiles/p/1/0/0.mvt");
            Eventually.await("it waits", () -> lane.jobs().depth() == 1);
            publish(TileType.MVT, Coding.NONE, new TileCoord(5, 0, 0), plain("two"));
            release.countDown();
            assertThat(client.read().status()).isEqualTo(404);
        }
    }

    @Test
    void aRequestOfAnotherTypeThanASuccessorHoldsIsRefused() throws Exception {
        publish(TileType.MVT, Coding.NONE, AT, plain("one"));
        holdTheReaders();
        try (RawClient client = host.client()) {
            client.get("/edge/tiles/p/1/0/0.mvt");
            Eventually.await("it waits", () -> lane.jobs().depth() == 1);
            publish(TileType.PNG, Coding.NONE, AT, plain("two"));
            release.countDown();
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("ext_mismatch");
        }
    }

    // a tile in memory | no thread is left to read files  ->  it is answered, and others wait
    @Test
    void whatIsInMemoryNeedsNoReader() throws Exception {
        publish(TileType.MVT, Coding.NONE, AT, plain("one"));
        try (RawClient client = host.client();
                RawClient cold = host.client()) {
            assertThat(client.get("/edge/tiles/p/1/0/0.mvt").read().header("Cache-Status"))
                    .hasValue("edge; fwd=miss; stored");
            holdTheReaders();
            cold.get("/edge/tiles/p/1/1/1.mvt");
            Eventually.await("it waits", () -> lane.jobs().depth() == 1);
            assertThat(client.get("/edge/tiles/p/1/0/0.mvt").read().header("Cache-Status"))
                    .hasValue("edge; hit");
            release.countDown();
            assertThat(cold.read().status()).isEqualTo(204);
        }
    }

    @Test
    void noFileIsReadOnAnEventLoop() throws Exception {
        Path path = Files.write(folder.resolve("x.bin"), plain("x"));
        try (PackFile file = PackFile.open(path)) {
            assertThat(file.read(0, 1)).hasSize(1);
            assertThatThrownBy(() -> host.loops()
                            .group()
                            .next()
                            .submit(() -> file.read(0, 1))
                            .get())
                    .hasCauseInstanceOf(Blocking.Refused.class);
        }
    }

    // thousands of hits of a large tile: hashing each would take the loops some seconds of a processor
    @Test
    void aTileIsHashedOnceAndNotForEachAnswer() throws Exception {
        byte[] large = new byte[7 << 20];
        new Random(1).nextBytes(large);
        publish(TileType.PNG, Coding.NONE, AT, large);
        try (RawClient client = host.client()) {
            String tag =
                    client.get("/edge/tiles/p/1/0/0.png").read().header("ETag").orElseThrow();
            holdTheReaders(); // they could not hash either
            long before = loopNanos();
            for (int i = 0; i < HITS; i++) {
                RawClient.Answer answer = client.send(
                                "GET /edge/tiles/p/1/0/0.png HTTP/1.1\r\nHost: x\r\nIf-None-Match: " + tag + "\r\n\r\n")
                        .read();
                assertThat(answer.status()).isEqualTo(304);
                assertThat(answer.header("ETag")).hasValue(tag);
                RawClient.Answer whole = client.send("HEAD /edge/tiles/p/1/0/0.png HTTP/1.1\r\nHost: x\r\n\r\n")
                        .readHead(); // as a GET, but for the bytes
                assertThat(whole.status()).isEqualTo(200);
                assertThat(whole.header("ETag")).hasValue(tag);
            }
            assertThat(Duration.ofNanos(loopNanos() - before)).isLessThan(Duration.ofSeconds(3));
        }
    }

    private static long loopNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("test-")) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }
}
