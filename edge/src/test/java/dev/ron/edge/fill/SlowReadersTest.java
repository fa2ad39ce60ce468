package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Eventually;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SlowReadersTest {
    @TempDir
    Path folder;

    // an object that must not be kept, so that each reader has its own | readers who do not take it  ->  bounded memory
    @Test
    void whatMustNotBeKeptIsHeldForNoMoreThanThereIsRoomFor() throws Exception {
        int size = 7 << 20; // more than the system takes from the edge for a reader
        int many = 8;
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        String body = "x".repeat(size);
        try (Origin origin =
                        new Origin(ca, HOST, (head, out) -> out.write(Origin.ok(body, "Cache-Control", "no-store")));
                TestEdge edge = FillEdge.start(
                        origin,
                        ca,
                        Optional.of(folder.resolve("data")),
                        "cache_bytes = \"1MiB\"",
                        "timeout_secs = 60",
                        "timeout_secs = 60",
                        Backoff.Policy.DEFAULT)) {
            long before = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
            List<RawClient> slow = new ArrayList<>();
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                RawClient client = edge.client().get("/edge/assets/o/private");
                slow.add(client);
                answers.add(client.line());
            }
            assertThat(answers).contains("HTTP/1.1 200 OK", "HTTP/1.1 429 Too Many Requests");
            assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                    .isLessThan(many * (long) size / 2);
            slow.forEach(RawClient::close);
            Eventually.await(
                    "their room is free",
                    () -> edge.get("/edge/assets/o/private").statusCode() == 200);
        }
    }

    // readers who hold all the room there is | an object that is to be kept  ->  it waits in the store for room
    @Test
    void whatWasFetchedWithoutRoomForItIsNotFetchedAgain() throws Exception {
        String large = "x".repeat(7 << 20); // more than the system takes from the edge for a reader
        String kept = "y".repeat(4 << 20);
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(
                                head.contains("/kept")
                                        ? Origin.ok(kept)
                                        : Origin.ok(large, "Cache-Control", "no-store")));
                TestEdge edge = FillEdge.start(
                        origin,
                        ca,
                        Optional.of(folder.resolve("data")),
                        "cache_bytes = \"1MiB\"\nmax_cached_bytes = \"8MiB\"",
                        "timeout_secs = 60",
                        "timeout_secs = 60",
                        Backoff.Policy.DEFAULT)) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                RawClient client = edge.client().get("/edge/assets/o/private");
                slow.add(client);
                assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(edge.get("/edge/assets/o/kept").statusCode()).isEqualTo(429);
            slow.forEach(RawClient::close);
            Eventually.await(
                    "their room is free", () -> edge.get("/edge/assets/o/kept").statusCode() == 200);
            assertThat(origin.heads().stream().filter(head -> head.contains("/kept")))
                    .hasSize(1);
        }
    }
}
