package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.raw.RawFolder;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.metrics.Metrics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a folder while the threads that read files are held, or no permit is left. */
@Timeout(60)
class FolderFilesTest {
    private static final int CACHED = 1 << 20;
    private static final Duration UNTRUSTED = Duration.ofMillis(1500);

    @TempDir
    static Path folder;

    private final VirtualClock clock = new VirtualClock();
    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("files", 1, 16), supervisor, Meter.none());
    private final HotCache cache = new HotCache(64 << 20);
    private final Room room = new Room(64 << 20);
    private final OpenFiles open = new OpenFiles();
    private final Permits permits = new Permits("inflight", 1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final FolderFiles files = new FolderFiles(
            new RawFolder(folder),
            new FolderFiles.Parts(
                    cache,
                    room,
                    open,
                    new Cold(lane, permits),
                    new Sender(false, true, lane, room, Duration.ofSeconds(5), Meter.none()),
                    new Served(new Metrics().service("edge")),
                    CACHED,
                    clock),
            () -> "public, max-age=3600");
    private final TestHost host = TestHost.with(routes -> routes.add(List.of("GET", "HEAD"), "/f/**", (StreamHandler)
            exchange -> files.handle(exchange, exchange.params().decodedRest())));

    @AfterEach
    void stop() {
        release.countDown();
        host.close();
        cache.clear();
        open.clear();
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofMinutes(1))))
                .isTrue();
    }

    private void holdTheReaders() {
        lane.submit(() -> {
            release.await();
            return 0;
        });
        Eventually.await("the job is under way", () -> lane.jobs().depth() == 0);
    }

    // a small file in memory | it is to be looked at again | no permit is left  ->  a hit all the same, which needs
    // none
    @Test
    void whatIsInMemoryNeedsNoPermit() throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        try (RawClient client = host.client()) {
            assertThat(client.get("/f/small.txt").read().body()).isEqualTo("small");
            clock.advance(UNTRUSTED);
            assertThat(permits.tryAcquire()).isTrue();
            RawClient.Answer answer = client.get("/f/small.txt").read();
            assertThat(answer.body()).isEqualTo("small");
            assertThat(answer.header("Cache-Status")).hasValue("edge; hit");
            clock.advance(UNTRUSTED);
            assertThat(client.get("/f/other.txt").read().status()).isEqualTo(429);
        }
    }

    // a name that is not there | asked for again within a second, then after it  ->  told at once, then looked for
    @Test
    void whatIsNotThereIsLookedForOnceASecond() throws Exception {
        try (RawClient client = host.client()) {
            assertThat(client.get("/f/later.txt").read().status()).isEqualTo(404);
            assertThat(permits.tryAcquire()).isTrue();
            assertThat(client.get("/f/later.txt").read().status()).isEqualTo(404);
            permits.release();
            Files.writeString(folder.resolve("later.txt"), "later");
            clock.advance(UNTRUSTED);
            assertThat(client.get("/f/later.txt").read().body()).isEqualTo("later");
        }
    }

    // a large file that was read lately | no thread is left to read files  ->  the kernel sends all of it
    @Test
    void whatIsWarmIsSentByTheKernel() throws Exception {
        byte[] large = new byte[3 * CACHED + 7];
        new Random(1).nextBytes(large);
        Files.write(folder.resolve("large.bin"), large);
        String expected = new String(large, StandardCharsets.ISO_8859_1);
        try (RawClient client = host.client()) {
            assertThat(client.get("/f/large.bin").read().body().equals(expected))
                    .isTrue();
            holdTheReaders();
            assertThat(client.get("/f/large.bin").read().body().equals(expected))
                    .isTrue();
        }
    }

    // a field as long as If-None-Match, with a star  ->  200: nobody said what he has
    @Test
    void whatOnlyLooksLikeAConditionIsNone() throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        try (RawClient client = host.client()) {
            client.get("/f/small.txt").read();
            RawClient.Answer answer = client.send("GET /f/small.txt HTTP/1.1\r\nHost: x\r\nIP-Addr-Value: *\r\n\r\n")
                    .read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("small");
        }
    }

    @Test
    void aHeadHasNoPart() throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        try (RawClient client = host.client()) {
            client.get("/f/small.txt").read();
            RawClient.Answer head = client.send("HEAD /f/small.txt HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\n\r\n")
                    .readHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length")).hasValue("5");
            assertThat(client.get("/f/small.txt").read().body()).isEqualTo("small");
        }
    }
}
