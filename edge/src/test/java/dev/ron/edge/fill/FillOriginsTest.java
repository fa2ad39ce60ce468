package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.client.Addresses;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which machine a fetch goes to, and over which connection. */
@Timeout(120)
class FillOriginsTest {
    private static final String ONCE = "[edge.retry.live_fill]\nmax_retries = 0";

    @TempDir
    Path folder;

    private TestCa ca() throws IOException {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(Origin origin, TestCa ca, Addresses names) {
        Optional<Path> data = Optional.of(folder.resolve("data"));
        return FillEdge.start(origin, ca, data, "", "timeout_secs = 60", ONCE, Backoff.Policy.DEFAULT, names);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    // a name with two addresses | nothing listens at the first  ->  the second is dialled, in the same attempt
    @Test
    void whereOneAddressDoesNotAnswerTheNextIsDialled() throws Exception {
        TestCa ca = ca();
        Addresses two = (host, port, deadline) -> List.of(new InetSocketAddress("127.0.0.2", port), loopback(port));
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(origin, ca, two)) {
            HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(text(answer)).isEqualTo("one");
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void whereNoAddressAnswersTheFetchFails() throws Exception {
        TestCa ca = ca();
        Addresses none = (host, port, deadline) ->
                List.of(new InetSocketAddress("127.0.0.2", port), new InetSocketAddress("127.0.0.3", port));
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(origin, ca, none)) {
            HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(text(answer)).contains("\"reason\":\"upstream_unavailable\"");
        }
    }

    // a name is looked up and vetted | it means another machine from then on  ->  what was vetted is dialled
    @Test
    void theAddressThatWasVettedIsDialled() throws Exception {
        TestCa ca = ca();
        AtomicInteger lookUps = new AtomicInteger();
        try (ServerSocketChannel trap = ServerSocketChannel.open().bind(loopback(0));
                Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")))) {
            trap.configureBlocking(false);
            int trapped = trap.socket().getLocalPort();
            Addresses once = (host, port, deadline) ->
                    List.of(loopback(lookUps.incrementAndGet() == 1 ? origin.port() : trapped));
            try (TestEdge edge = edge(origin, ca, once)) {
                assertThat(edge.get("/edge/assets/o/a").statusCode()).isEqualTo(200);
                assertThat(lookUps).hasValue(1);
                assertThat(trap.accept()).isNull();
                assertThat(origin.requests()).isEqualTo(1);
            }
        }
    }

    // a machine at the right address | its certificate is for another name, or of an unknown authority  ->  it is asked
    // nothing, and nothing of it is kept
    @Test
    void whoCannotProveThatItIsTheOriginIsAskedNothing() throws Exception {
        TestCa ca = ca();
        TestCa stranger = new TestCa(Files.createDirectories(folder.resolve("stranger")));
        Addresses here = (host, port, deadline) -> List.of(loopback(port));
        Origin.Script lie = (head, out) -> out.write(Origin.ok("lie"));
        try (Origin renamed = new Origin(ca, "other.test", lie);
                Origin unknown = new Origin(stranger, HOST, lie)) {
            for (Origin origin : List.of(renamed, unknown)) {
                try (TestEdge edge = edge(origin, ca, here)) {
                    HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
                    assertThat(answer.statusCode()).isEqualTo(502);
                    assertThat(text(answer)).contains("\"reason\":\"upstream_unavailable\"");
                    assertThat(origin.requests()).isZero();
                    assertThat(edge.service().index().size()).isZero();
                    assertThat(edge.metrics()).contains("edge_cas_writes_total{service=\"edge\",status=\"ok\"} 0");
                }
            }
        }
    }

    // idle connections that the origin closes as they are used again | no retries  ->  each on a new one
    @Test
    void aConnectionThatWasClosedWhileItWasIdleCostsNoAttempt() throws Exception {
        TestCa ca = ca();
        Set<OutputStream> connections = ConcurrentHashMap.newKeySet();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    if (!connections.add(out)) {
                        throw new IOException("closed");
                    }
                    out.write(Origin.ok("one"));
                });
                TestEdge edge = edge(origin, ca, (host, port, deadline) -> List.of(loopback(port)))) {
            for (int i = 0; i < 6; i++) {
                assertThat(edge.get("/edge/assets/o/" + i).statusCode()).isEqualTo(200);
            }
            assertThat(origin.requests()).isGreaterThan(6);
            assertThat(edge.metrics())
                    .contains("edge_live_fill_attempts_total{host=\"origin.test\",service=\"edge\"} 6");
        }
    }
}
