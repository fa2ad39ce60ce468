package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.TestEdge;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was fetched and the store: what it has lost, what it keeps, and what is said of the same bytes twice. */
@Timeout(120)
class FillStoreTest {
    private static final int LARGE = 700_000; // too large for the memory

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin, String edge, String fill) {
        return FillEdge.start(
                origin,
                ca,
                Optional.of(folder.resolve("data")),
                edge,
                "timeout_secs = 60",
                fill,
                Backoff.Policy.DEFAULT);
    }

    private List<Path> blobs() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data/cas/b3"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    // a fresh object that the store has lost | a request that may not fetch it  ->  it is told so at once
    @Test
    void aRequestThatMayNotFetchWhatWasLostIsRefused() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")))) {
            try (TestEdge edge = edge(ca, origin, "", "")) {
                assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            }
            try (TestEdge edge = edge(ca, origin, "", "")) { // now it is not in memory
                Files.delete(blobs().getFirst());
                HttpResponse<byte[]> refused = edge.get("/edge/assets/o/a", "CDN-Loop", CdnLoop.ID);
                assertThat(refused.statusCode()).isEqualTo(508);
                assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
                assertThat(origin.requests()).isEqualTo(2);
            }
        }
    }

    // a large object in the store, and a restart | a look at a pack that takes an hour  ->  the object is answered with
    @Test
    void aLookAtAPackHoldsUpNoObject() throws Exception {
        TestCa ca = ca();
        Path packs = Files.createDirectory(folder.resolve("packs"));
        String large = "x".repeat(2 << 20);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok(large)))) {
            try (TestEdge edge = edge(ca, origin, "", "")) {
                assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo(large);
            }
            TestMbtiles.writeEndless(packs.resolve("endless.mbtiles"));
            try (TestEdge edge = FillEdge.start(
                    origin,
                    ca,
                    Optional.of(folder.resolve("data")),
                    "packs_dir = \"" + packs + "\"",
                    "",
                    "",
                    Backoff.Policy.DEFAULT)) {
                assertThat(text(edge.get("/edge/catalog"))).contains("endless");
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(text(answer)).isEqualTo(large);
                assertThat(origin.requests()).isEqualTo(1);
            }
        }
    }

    // a large object that its origin says is not modified, so that nothing of it is read | its file is overwritten  ->
    // it is looked at before it is sent, unlike what was just written
    @Test
    void whatWasNotReadIsNotTakenForWarm() throws Exception {
        TestCa ca = ca();
        byte[] same = "HTTP/1.1 304 Same\r\nCache-Control: max-age=900\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) ->
                                out.write(head.contains("If-None-Match") ? same : Origin.ok("x".repeat(LARGE))));
                TestEdge edge = edge(ca, origin, "", "default_ttl_secs = 0\nmin_ttl_secs = 0")) {
            String tag = header(edge.get("/edge/assets/o/a"), "ETag");
            assertThat(edge.get("/edge/assets/o/a", "If-None-Match", tag).statusCode())
                    .isEqualTo(304);
            assertThat(origin.requests()).isEqualTo(2);
            Files.writeString(blobs().getFirst(), "y".repeat(LARGE));
            assertThatThrownBy(() -> edge.get("/edge/assets/o/a")).isInstanceOf(UncheckedIOException.class);
        }
    }

    // a store that is too small | objects that are asked for all the time, from memory and from an open file, while
    // others come  ->  they stay
    @Test
    void whatIsServedFromMemoryIsNotOldToTheStore() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    String name = head.substring("GET /".length(), head.indexOf(" HTTP/"));
                    int size = name.equals("small") ? 10_000 : name.equals("large") ? 100_000 : 200_000;
                    out.write(Origin.ok(name + "x".repeat(size)));
                });
                TestEdge edge = edge(ca, origin, "", "[edge.cas]\nmax_bytes = \"1MiB\"")) {
            List<String> used = List.of("/edge/assets/o/small", "/edge/assets/o/large");
            for (int i = 0; i < 10; i++) {
                for (String path : used) {
                    assertThat(edge.get(path).statusCode()).isEqualTo(200);
                }
                assertThat(edge.get("/edge/assets/o/" + i).statusCode()).isEqualTo(200);
            }
            for (String path : used) {
                String digest = header(edge.get(path), "ETag")
                        .substring("\"b3:".length())
                        .replace("\"", "");
                assertThat(edge.get("/cas/b3/" + digest).statusCode()).as(path).isEqualTo(200);
            }
            assertThat(blobs()).hasSizeLessThan(12);
        }
    }

    // the same bytes under two names, changed at different times  ->  each name has its own time
    @Test
    void theSameBytesUnderTwoNamesHaveEachTheirOwnTime() throws Exception {
        TestCa ca = ca();
        String early = "Sun, 01 Nov 2020 10:00:00 GMT";
        String between = "Thu, 05 Nov 2020 10:00:00 GMT";
        String late = "Tue, 10 Nov 2020 10:00:00 GMT";
        for (int size : List.of(100, LARGE)) {
            try (Origin origin = new Origin(
                            ca,
                            HOST,
                            (head, out) -> out.write(
                                    Origin.ok("x".repeat(size), "Last-Modified", head.contains("/a") ? early : late)));
                    TestEdge edge = edge(ca, origin, "", "")) {
                for (String path : List.of("/edge/assets/o/a", "/edge/assets/o/b", "/edge/assets/o/a")) {
                    assertThat(header(edge.get(path), "Last-Modified")).isEqualTo(path.endsWith("a") ? early : late);
                }
                HttpResponse<byte[]> changed = edge.get("/edge/assets/o/b", "If-Modified-Since", between);
                assertThat(changed.statusCode()).isEqualTo(200);
                HttpResponse<byte[]> same = edge.get("/edge/assets/o/a", "If-Modified-Since", between);
                assertThat(same.statusCode()).isEqualTo(304);
            }
        }
    }
}
