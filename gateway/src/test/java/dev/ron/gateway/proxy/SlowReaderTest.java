package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.H2Client;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A caller that does not take its answer holds nobody else up, and is not waited for without end. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class SlowReaderTest {
    private static final byte[] PIECE = "x".repeat(64 << 10).getBytes(StandardCharsets.US_ASCII);

    // an endless answer | a reader that stops  ->  the upstream is slowed down, then cut with its reader
    @Test
    void aReaderThatStopsIsCutAfterTheWriteTimeout() {
        AtomicLong sent = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(1);
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\n\r\n");
                    try {
                        while (true) {
                            peer.write(PIECE);
                            sent.addAndGet(PIECE.length);
                        }
                    } finally {
                        ended.countDown();
                    }
                });
                TestGateway gateway = TestGateway.to("[gateway]\nwrite_timeout = \"500ms\"\n", server.port());
                RawClient reader = gateway.client()) {
            reader.get("/");
            Eventually.await("the upstream is cut", () -> ended.getCount() == 0);
            Eventually.await("nothing is in hand", () -> gateway.service().inflight() == 0);
            // what sockets and buffers on the way can hold, and not what an upstream could have sent meanwhile
            assertThat(sent.get()).isLessThan(64L << 20);
        }
    }

    // many finished answers | a reader of none  ->  what is held for all is bounded, and the rest must keep a pace
    @Test
    void manyAnswersThatNobodyTakesAreBoundedTogether() {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 122880\r\n\r\n" + "x".repeat(122_880);
        try (RawServer server = new RawServer((peer, number) -> {
                    while (!peer.readRequest().isEmpty()) {
                        peer.write(answer);
                    }
                });
                TestGateway gateway = TestGateway.to("""
                        [gateway]
                        write_timeout = "60s"
                        [gateway.limits]
                        buffer_budget_bytes = "64KiB"
                        [gateway.peers]
                        http2_prior_knowledge = true
                        """, server.port());
                H2Client reader = new H2Client(gateway.port())) {
            reader.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0}); // no window for any stream
            for (int i = 0; i < 8; i++) {
                reader.get("/");
            }
            assertThat(reader.next(frame -> frame.type() == H2Client.RST_STREAM).stream())
                    .isPositive();
        }
    }
}
