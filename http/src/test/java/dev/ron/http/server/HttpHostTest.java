package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.problem.Problem;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.NoLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HttpHostTest {
    private static final StreamHandler HELLO = exchange -> exchange.respond(Response.text("hello"));

    private static TestHost host() {
        return TestHost.with(routes -> routes.get("/hello", HELLO)
                .get("/blocking/{name}", (BlockingHandler) request -> Response.text("hi " + request.param("name")))
                .post("/echo", (BlockingHandler) request -> Response.bytes(200, "text/plain", request.body()))
                .post("/stream-echo", (StreamHandler) HttpHostTest::streamEcho)
                .get("/boom", (BlockingHandler) request -> {
                    throw new IllegalStateException("secret internals");
                })
                .get("/boom-loop", (StreamHandler) exchange -> {
                    throw new IllegalStateException("secret internals");
                })
                .get("/conflict", (BlockingHandler) request -> {
                    throw new RonException(Code.CONFLICT, "chain_mismatch", "the head has moved");
                })
                .get("/empty", (BlockingHandler) request -> Response.noContent()));
    }

    private static void streamEcho(Exchange exchange) {
        ResponseStream out = exchange.start(200, Headers.of("Content-Type", "text/plain"));
        exchange.receive(new BodySink() {
            @Override
            public void piece(ByteBuf piece) {
                if (!out.write(piece)) {
                    exchange.pause();
                    out.onWritable(exchange::resume);
                }
            }

            @Override
            public void end() {
                out.end();
            }

            @Override
            public void broken(RonException why) {}
        });
    }

    @Test
    void bothKindsOfHandlersAnswerOnOneConnection() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            RawClient.Answer first = client.get("/hello").read();
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("hello");
            assertThat(first.header("Date")).isPresent();
            assertThat(first.header("X-Corr-ID"))
                    .hasValueSatisfying(id -> assertThat(id).hasSize(26));
            assertThat(first.header("Content-Type")).contains("text/plain; charset=utf-8");
            assertThat(client.get("/blocking/ron%20x").read().body()).isEqualTo("hi ron x");
            assertThat(client.post("/echo", "some body").read().body()).isEqualTo("some body");
            assertThat(client.post("/stream-echo", "some body").read().body()).isEqualTo("some body");
            assertThat(client.get("/empty").read().status()).isEqualTo(204);
            client.send("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.readHead().header("Content-Length")).contains("5");
            assertThat(client.get("/hello").read().body()).isEqualTo("hello");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTurn() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            String one = "GET /blocking/a HTTP/1.1\r\nHost: x\r\n\r\n";
            String two = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nb";
            String three = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
            client.send((one + two + three).repeat(50));
            for (int i = 0; i < 50; i++) {
                assertThat(client.read().body()).isEqualTo("hi a");
                assertThat(client.read().body()).isEqualTo("b");
                assertThat(client.read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void chunkedBodiesArriveWhole() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n1;name=value\r\n \r\n000A\r\n0123456789\r\n0\r\nX-Note: fine\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("hello 0123456789");
            assertThat(client.get("/hello").read().body()).isEqualTo("hello");
        }
    }

    @Test
    void failuresAreProblemsWithoutInternals() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            for (String path : List.of("/boom", "/boom-loop")) {
                RawClient.Answer answer = client.get(path).read();
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.header("Content-Type")).contains(Problem.MEDIA_TYPE);
                assertThat(answer.body()).contains("\"code\":\"internal\"").doesNotContain("secret");
            }
            assertThat(host.counted().of("tasks_panicked_total", "http-request"))
                    .isEqualTo(2);
            RawClient.Answer conflict = client.get("/conflict").read();
            assertThat(conflict.status()).isEqualTo(409);
            Problem problem = Problem.parse(conflict.body().getBytes(StandardCharsets.UTF_8));
            assertThat(problem.reason()).isEqualTo("chain_mismatch");
            assertThat(problem.instance()).isEqualTo("/conflict");
            assertThat(problem.corrId()).isEqualTo(conflict.header("X-Corr-ID").orElseThrow());
            assertThat(client.get("/nowhere").read().status()).isEqualTo(404);
            RawClient.Answer wrongMethod = client.post("/hello", "").read();
            assertThat(wrongMethod.status()).isEqualTo(405);
            assertThat(wrongMethod.header("Allow")).contains("GET, HEAD");
        }
    }

    @Test
    void theCallersCorrelationIdAndTraceReachHandlerAndAnswer() {
        AtomicReference<CallContext> seen = new AtomicReference<>();
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        try (TestHost host = TestHost.with(routes -> routes.get("/", (BlockingHandler) request -> {
                    seen.set(CallContext.current());
                    return Response.noContent();
                }));
                RawClient client = host.client()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: 0123456789abcdef\r\ntraceparent: " + trace
                    + "\r\nRequest-Timeout: 700ms\r\n\r\n");
            assertThat(client.read().header("X-Corr-ID")).contains("0123456789abcdef");
            assertThat(seen.get().corrId()).isEqualTo("0123456789abcdef");
            assertThat(seen.get().traceparent()).isEqualTo(trace);
            assertThat(seen.get().deadline().remaining()).isLessThan(Duration.ofMillis(701));
            client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Corr-ID: too short\r\ntraceparent: 00-0\r\n\r\n");
            assertThat(client.read().header("X-Corr-ID").orElseThrow()).hasSize(26);
            assertThat(seen.get().traceparent()).isNull();
        }
    }

    @Test
    void aHandlerThatOutlivesItsDeadlineIsInterruptedAndAnswered504Once() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicBoolean second = new AtomicBoolean();
        try (TestHost host = TestHost.with(routes -> routes.get("/slow", (BlockingHandler) request -> {
                    if (second.getAndSet(true)) {
                        return Response.text("second");
                    }
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return Response.text("too late");
                }));
                RawClient client = host.client()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\nRequest-Timeout: 100ms\r\n\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("\"code\":\"timeout\"");
            interrupted.await();
            assertThat(client.get("/slow").read().body()).isEqualTo("second");
            assertThat(host.counted().of("io_timeouts_total", "handler")).isEqualTo(1);
        }
    }

    @Test
    void aCallerThatLeavesCancelsItsHandler() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (TestHost host = TestHost.with(routes -> routes.get("/slow", (BlockingHandler) request -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return Response.noContent();
        }))) {
            try (RawClient client = host.client()) {
                client.get("/slow");
                running.await();
                client.socket().setSoLinger(true, 0); // a reset, not a half-close
            }
            interrupted.await();
            TestHost.await(() -> host.host().inflight() == 0);
        }
    }

    @Test
    void aCallerMayStopSendingAndStillGetItsAnswer() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            client.get("/blocking/x").finish();
            assertThat(client.read().body()).isEqualTo("hi x");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void http10IsAnsweredOnceAndClosed() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.closes()).isTrue();
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void largeAnswersComeWholeToASlowReader() {
        byte[] large = new byte[8 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) ('a' + i % 26);
        }
        try (TestHost host = TestHost.with(routes -> routes.get(
                                "/large", (BlockingHandler) request -> Response.bytes(200, "text/plain", large))
                        .get("/pieces", (StreamHandler) exchange -> pieces(exchange, large)));
                RawClient client = host.client()) {
            String expected = new String(large, StandardCharsets.ISO_8859_1);
            assertThat(client.get("/large").read().body()).isEqualTo(expected);
            assertThat(client.get("/pieces").read().body()).isEqualTo(expected);
        }
    }

    private static void pieces(Exchange exchange, byte[] all) {
        ResponseStream out = exchange.start(200, Headers.NONE);
        Runnable more = new Runnable() {
            private int at;

            @Override
            public void run() {
                while (at < all.length && out.writable()) {
                    int size = Math.min(64 << 10, all.length - at);
                    out.write(Unpooled.wrappedBuffer(all, at, size));
                    at += size;
                }
                if (at == all.length) {
                    out.end();
                }
            }
        };
        out.onWritable(more);
        more.run();
    }

    @Test
    void aStreamedAnswerHasTheLengthItAnnouncedOrIsCut() {
        try (TestHost host = TestHost.with(routes -> routes.get("/{announced}/{sent}", (StreamHandler) exchange -> {
            int announced = Integer.parseInt(exchange.params().get("announced"));
            int sent = Integer.parseInt(exchange.params().get("sent"));
            ResponseStream out = exchange.start(200, Headers.NONE, announced);
            out.write(Unpooled.wrappedBuffer(new byte[sent]));
            out.end();
        }))) {
            try (RawClient client = host.client()) {
                assertThat(client.get("/5/5").read().body()).hasSize(5);
            }
            for (String wrong : List.of("/5/4", "/5/6")) {
                try (RawClient client = host.client()) {
                    String answer = client.get(wrong).readRest();
                    int body = answer.indexOf("\r\n\r\n") + 4;
                    assertThat(answer.length())
                            .as(wrong + " is no whole answer")
                            .isLessThan(body + 5);
                }
            }
            try (RawClient client = host.client()) {
                client.send("HEAD /5/0 HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.readHead().header("Content-Length")).contains("5");
                assertThat(client.get("/1/1").read().body()).hasSize(1);
            }
        }
    }

    @Test
    void anAnswerOfUnknownLengthEndsWithTheConnectionForHttp10() {
        try (TestHost host = TestHost.with(routes -> routes.get("/", (StreamHandler) exchange -> {
                    ResponseStream out = exchange.start(200, Headers.NONE);
                    out.write(Unpooled.copiedBuffer("pieces", StandardCharsets.US_ASCII));
                    out.end();
                }));
                RawClient client = host.client()) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.header("Transfer-Encoding")).isEmpty();
            assertThat(answer.body()).isEqualTo("pieces");
        }
    }

    @Test
    void handlersCannotWriteTheHostsOwnFields() {
        for (String name : List.of("content-length", "Transfer-Encoding", "Connection", "Date", "X-Corr-ID")) {
            assertThatThrownBy(() -> Response.text("x").withHeader(name, "1"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Headers.of("X-A", "1\r\nX-B: 2")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTakenPortIsNamed() {
        try (TestHost host = host()) {
            Routes routes = new Routes(HostConfig.DEFAULTS);
            HttpHost.Builder second = HttpHost.builder(host.kernel(), host.loops(), HostParts.of("second", 512));
            assertThatThrownBy(() -> second.bind("127.0.0.1", host.port(), routes.build()))
                    .isInstanceOf(CannotBind.class)
                    .hasMessageContaining("port " + host.port());
        }
    }
}
