package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.testing.H2Client;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TestHost;
import dev.ron.http.testing.TlsClient;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 carries the same exchanges as HTTP/1. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class Http2Test {
    private static final Duration PATIENCE = Duration.ofSeconds(60); // for machines that are busy with other things
    private static final HostConfig.Timeouts PATIENT =
            new HostConfig.Timeouts(PATIENCE, PATIENCE, PATIENCE, PATIENCE, 1, PATIENCE);
    private static final HostConfig PRIOR =
            HostConfig.DEFAULTS.withFront(HostConfig.Front.DEFAULTS.withPriorKnowledge());

    private final List<Exchange> parked = new ArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicReference<String> early = new AtomicReference<>("");

    private void routes(Routes routes) {
        routes.get("/hello", (BlockingHandler) request -> Response.text(
                        "hello " + request.queryParams().first("to").orElse("nobody")))
                .post("/echo", (BlockingHandler) request -> Response.bytes(200, "text/plain", request.body()))
                .post("/park", (StreamHandler) exchange -> {
                    exchange.onOver(lost::incrementAndGet);
                    parked.add(exchange);
                })
                .add(List.of("GET", "HEAD"), "/large", (StreamHandler) Http2Test::large)
                .post("/trailers", (StreamHandler) Http2Test::trailers)
                .post("/early", (StreamHandler) this::early)
                .get("/fields", (BlockingHandler) request ->
                        Response.text(request.headers().first("Cookie").orElse("") + "|"
                                + request.headers().first("Host").orElse("")));
    }

    private static void large(Exchange exchange) {
        ResponseStream out = exchange.start(200, Headers.NONE, 1 << 20);
        Runnable more = new Runnable() {
            private int sent;

            @Override
            public void run() {
                while (sent < 16 && out.writable()) {
                    sent++;
                    out.write(Unpooled.copiedBuffer("x".repeat(64 << 10), StandardCharsets.US_ASCII));
                }
                if (sent == 16) {
                    sent++;
                    out.end();
                }
            }
        };
        out.onWritable(more);
        more.run();
    }

    /** Answers before the body has come. */
    private void early(Exchange exchange) {
        exchange.start(200, Headers.NONE);
        exchange.receive(new BodySink() {
            @Override
            public void piece(ByteBuf piece) {
                piece.release();
            }

            @Override
            public void end() {
                early.set("whole");
            }

            @Override
            public void broken(RonException why) {
                early.set(why.reason());
            }
        });
    }

    private static void trailers(Exchange exchange) {
        exchange.receive(new BodySink() {
            @Override
            public void piece(ByteBuf piece) {
                piece.release();
            }

            @Override
            public void end() {}

            @Override
            public void end(Headers trailers) {
                ResponseStream out = exchange.start(200, Headers.NONE);
                out.write(Unpooled.copiedBuffer(
                        "got " + trailers.first("X-Sum").orElse("none"), StandardCharsets.US_ASCII));
                out.end(Headers.of("X-Back", "42"));
            }

            @Override
            public void broken(RonException why) {}
        });
    }

    @Test
    void whatEveryAnswerCarriesIsNotSaidAgainWhereNothingChanged() {
        try (TestHost host = TestHost.with(
                PRIOR,
                Clock.system(),
                routes -> routes.get("/all", (BlockingHandler) _ -> Response.text("all"))
                        .get("/same", (BlockingHandler)
                                _ -> Response.of(304, Headers.of("ETag", "\"a\""), new byte[0])),
                builder -> builder.everywhere(Headers.of("X-Everywhere", "yes")))) {
            try (H2Client client = new H2Client(host.port())) {
                assertThat(client.answer(client.get("/all")).headers().get("x-everywhere"))
                        .asString()
                        .isEqualTo("yes");
                H2Client.Answer same = client.answer(client.get("/same"));
                assertThat(same.headers().contains("etag")).isTrue();
                assertThat(same.headers().contains("x-everywhere")).isFalse();
            }
            try (RawClient client = host.client()) {
                assertThat(client.get("/all").read().header("X-Everywhere")).contains("yes");
                RawClient.Answer same = client.get("/same").read();
                assertThat(same.header("ETag")).contains("\"a\"");
                assertThat(same.header("X-Everywhere")).isEmpty();
            }
        }
    }

    private TestHost plain() {
        return TestHost.with(PRIOR, this::routes);
    }

    @Test
    void aRealClientSpeaksItOverTls(@TempDir Path folder) throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair pair = ca.issue("localhost");
        TlsOptions options =
                TlsOptions.defaults().withProtocols(List.of("h2", "http/1.1")).withHandshakeLimit(PATIENCE);
        HostConfig patient = HostConfig.DEFAULTS.withTimeouts(PATIENT).withRequestTimeout(PATIENCE);
        try (ServerTls tls = new ServerTls(TlsIdentity.load(pair.certificates(), pair.key()), options);
                TestHost host = TestHost.with(patient, Clock.system(), this::routes, builder -> builder.tls(tls));
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .sslContext(new TlsClient(ca.roots).context())
                        .build()) {
            String base = "https://localhost:" + host.port();
            // one first: a client that has no connection yet would open one for each of the others
            assertThat(client.send(
                                    HttpRequest.newBuilder(URI.create(base + "/hello?to=you"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("hello you");
            List<CompletableFuture<HttpResponse<String>>> many = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(URI.create(base + (i % 2 == 0 ? "/hello?to=" + i : "/echo")));
                many.add(client.sendAsync(
                        i % 2 == 0
                                ? request.build()
                                : request.POST(HttpRequest.BodyPublishers.ofString("y".repeat(100_000)))
                                        .build(),
                        HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < 40; i++) {
                HttpResponse<String> answer = many.get(i).join();
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.body()).isEqualTo(i % 2 == 0 ? "hello " + i : "y".repeat(100_000));
            }
            HttpResponse<String> large = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/large")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(large.body()).hasSize(1 << 20);
            HttpResponse<String> head = client.send(
                    HttpRequest.newBuilder(URI.create(base + "/large")).HEAD().build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(head.headers().firstValue("content-length")).isEqualTo(Optional.of("1048576"));
        }
    }

    @Test
    void oldHttpGoesOnBesideIt() {
        try (TestHost host = plain();
                var old = host.client();
                H2Client client = new H2Client(host.port())) {
            assertThat(old.get("/hello").read().body()).isEqualTo("hello nobody");
            assertThat(client.answer(client.get("/hello")).body()).isEqualTo("hello nobody");
        }
    }

    // A body that nobody asks for fills its window; another stream's body must still come.
    @Test
    void bodiesThatWaitHoldUpNoOther() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            for (int i = 0; i < 8; i++) {
                int stuck = client.request(H2Client.head("POST", "/park"), false);
                client.data(stuck, "z".repeat(16 << 10), false);
            }
            int stream = client.request(H2Client.head("POST", "/echo"), false);
            for (int i = 0; i < 10; i++) {
                client.data(stream, "a".repeat(8 << 10), i == 9);
                if (i == 0) {
                    client.next(f -> f.type() == H2Client.WINDOW_UPDATE && f.stream() == stream);
                }
            }
            assertThat(client.answer(stream).body()).hasSize(80 << 10);
        }
        TestHost.await(() -> lost.get() == 8);
    }

    @Test
    void whatWaitsIsTakenFromOneBudgetAndGivenBack() {
        HostConfig.Front front = HostConfig.Front.DEFAULTS;
        HostConfig small = PRIOR.withFront(
                new HostConfig.Front(true, 20 << 10, front.proxyProtocol(), front.allow(), front.deny()));
        try (TestHost host = TestHost.with(small, this::routes)) {
            try (H2Client client = new H2Client(host.port())) {
                int first = client.request(H2Client.head("POST", "/park"), false);
                client.data(first, "z".repeat(15 << 10), false);
                int second = client.request(H2Client.head("POST", "/park"), false);
                client.data(second, "z".repeat(15 << 10), false);
                assertThat(client.answer(second).status()).isEqualTo(429);
            }
            TestHost.await(() -> lost.get() == 2);
            try (H2Client again = new H2Client(host.port())) {
                int stream = again.request(H2Client.head("POST", "/echo"), false);
                again.data(stream, "b".repeat(15 << 10), true);
                assertThat(again.answer(stream).status()).isEqualTo(200);
            }
        }
    }

    // the answer has begun, the body still comes | no room for a piece of it  ->  broken and reset, no hole
    @Test
    void aPieceForWhichThereIsNoRoomEndsTheBodyAlsoWhenTheAnswerHasBegun() {
        HostConfig.Front front = HostConfig.Front.DEFAULTS;
        HostConfig small = PRIOR.withFront(
                new HostConfig.Front(true, 20 << 10, front.proxyProtocol(), front.allow(), front.deny()));
        try (TestHost host = TestHost.with(small, this::routes);
                H2Client client = new H2Client(host.port())) {
            client.data(client.request(H2Client.head("POST", "/park"), false), "z".repeat(15 << 10), false);
            int stream = client.request(H2Client.head("POST", "/early"), false);
            client.next(f -> f.type() == H2Client.HEADERS && f.stream() == stream);
            client.data(stream, "a".repeat(8 << 10), false).data(stream, "end", true);
            client.next(f -> f.type() == H2Client.RST_STREAM && f.stream() == stream);
            TestHost.await(() -> early.get().equals("busy"));
        }
    }

    @Test
    void aStreamThatIsResetEndsItsExchangeAndNoOther() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            int stream = client.request(H2Client.head("POST", "/park"), false);
            assertThat(client.answer(client.get("/hello")).status()).isEqualTo(200);
            client.send(H2Client.RST_STREAM, 0, stream, H2Client.increment(8));
            TestHost.await(() -> lost.get() == 1);
            assertThat(client.answer(client.get("/hello")).status()).isEqualTo(200);
        }
    }

    @Test
    void trailersComeAndGo() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            int stream = client.request(H2Client.head("POST", "/trailers"), false);
            client.data(stream, "body", false);
            client.send(
                    H2Client.HEADERS,
                    H2Client.END_HEADERS | H2Client.END_STREAM,
                    stream,
                    client.block(new io.netty.handler.codec.http2.DefaultHttp2Headers(false).add("x-sum", "7")));
            H2Client.Answer answer = client.answer(stream);
            assertThat(answer.body()).isEqualTo("got 7");
            assertThat(answer.headers().get("x-back")).hasToString("42");
        }
    }

    @Test
    void crumbsBecomeOneCookieAndTheAuthorityIsTheHost() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            int stream = client.request(
                    H2Client.head("GET", "/fields").add("cookie", "a=1").add("cookie", "b=2"), true);
            assertThat(client.answer(stream).body()).isEqualTo("a=1; b=2|localhost");
        }
    }

    @Test
    void fieldsOfOneHopAndContradictionsResetTheStream() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            for (String[] field : new String[][] {
                {"connection", "close"},
                {"transfer-encoding", "chunked"},
                {"te", "gzip"},
                {"host", "elsewhere"},
                {"x", "a\rb"},
                {"X-Upper", "1"},
                {"x y", "1"}
            }) {
                int stream = client.request(H2Client.head("GET", "/hello").add(field[0], field[1]), true);
                assertThat(client.next(f -> f.type() == H2Client.RST_STREAM && f.stream() == stream)
                                .error())
                        .as(field[0])
                        .isEqualTo(1);
            }
            int lies = client.request(H2Client.head("POST", "/echo").add("content-length", "5"), false);
            client.data(lies, "four", true);
            assertThat(client.next(f -> f.type() == H2Client.RST_STREAM && f.stream() == lies)
                            .error())
                    .isEqualTo(1);
        }
    }

    @Test
    void theSameRefusalsAsInHttp1() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            assertThat(client.answer(client.get("/nowhere")).status()).isEqualTo(404);
            assertThat(client.answer(client.request(H2Client.head("PUT", "/hello"), true))
                            .status())
                    .isEqualTo(405);
            assertThat(client.answer(client.get("/a/../../b")).status()).isEqualTo(400);
            int big = client.request(
                    H2Client.head("POST", "/echo").add("content-length", Long.toString(2L << 20)), false);
            assertThat(client.answer(big).status()).isEqualTo(413);
            Http2Long fields = new Http2Long();
            assertThat(client.answer(client.request(fields.of(H2Client.head("GET", "/hello"), 101), true))
                            .status())
                    .isEqualTo(431);
        }
    }

    /** Many short fields. */
    private static final class Http2Long {
        io.netty.handler.codec.http2.Http2Headers of(io.netty.handler.codec.http2.Http2Headers head, int count) {
            for (int i = 0; i < count; i++) {
                head.add("x" + i, "y");
            }
            return head;
        }
    }

    @Test
    void aStopSaysGoodbyeAnswersWhatIsInHandAndEnds() throws Exception {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            int stream = client.request(H2Client.head("POST", "/park"), true);
            TestHost.await(() -> parked.size() == 1);
            CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(
                    () -> host.host().stop(Deadline.after(Clock.system(), Duration.ofSeconds(30))));
            assertThat(client.farewell()).isZero();
            TestHost.await(() -> host.host().draining());
            parked.getFirst().loop().execute(() -> parked.getFirst().respond(Response.text("late but whole")));
            assertThat(client.answer(stream).body()).isEqualTo("late but whole");
            assertThat(client.closedByPeer()).isTrue();
            assertThat(stopped.get()).isTrue();
        }
    }

    // a caller has nothing in hand | the host says goodbye | a request that was on its way comes  ->  it is answered
    @Test
    void whatIsOnItsWayWhenAStopBeginsIsAnswered() throws Exception {
        Duration patience = Duration.ofSeconds(30);
        try (TestHost host = TestHost.with(
                        PRIOR,
                        Clock.system(),
                        this::routes,
                        builder -> builder.drainGrace(new DrainGrace(patience, patience)));
                H2Client newcomer = new H2Client(host.port());
                H2Client known = new H2Client(host.port())) {
            assertThat(known.answer(known.get("/hello")).status()).isEqualTo(200);
            CompletableFuture<Boolean> stopped =
                    CompletableFuture.supplyAsync(() -> host.host().stop(Deadline.after(Clock.system(), patience)));
            assertThat(known.farewell()).isZero();
            for (H2Client client : List.of(known, newcomer)) {
                assertThat(client.answer(client.get("/hello")).body()).isEqualTo("hello nobody");
                client.close();
            }
            assertThat(stopped.get()).isTrue();
        }
    }

    /** A connection whose caller's side of the system takes little. */
    private static Socket narrow(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    // the socket has all of a large answer, its caller little of it | the host stops | the caller reads on and says so
    // ->  it gets the rest: what it says does not make the system throw that away
    @Test
    void whatTheSocketHasTakenArrivesThoughTheHostStops() throws Exception {
        String large = "0123456789abcdef".repeat(1 << 13);
        try (TestHost host = TestHost.with(
                        PRIOR, routes -> routes.get("/large", (BlockingHandler) _ -> Response.text(large)));
                H2Client client = new H2Client(narrow(host.port()))) {
            client.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0, 64, 0, 0}); // windows of 4 MiB
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(4 << 20));
            int stream = client.get("/large");
            H2Client.Frame head = client.next(frame -> frame.type() == H2Client.HEADERS);
            assertThat(head.headers().status()).hasToString("200");
            TestHost.await(() -> host.host().inflight() == 0);
            CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(
                    () -> host.host().stop(Deadline.after(Clock.system(), Duration.ofSeconds(30))));
            TestHost.await(() -> host.host().draining());
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            while (got.size() < large.length()) {
                H2Client.Frame data = client.next(frame -> frame.type() == H2Client.DATA && frame.stream() == stream);
                got.writeBytes(data.payload());
                client.sendIfOpen(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(data.payload().length));
            }
            assertThat(got.toString(StandardCharsets.UTF_8)).isEqualTo(large);
            assertThat(client.closedByPeer()).isTrue();
            assertThat(stopped.get()).isTrue();
        }
    }

    // every place is taken by someone idle who does not go when told | two come, one right after the other  ->  two are
    // told
    @Test
    void whoHasBeenToldToGoIsNotToldAgainInsteadOfAnother() {
        try (TestHost host = TestHost.with(PRIOR.withConns(8, 8), this::routes)) {
            List<H2Client> idle = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                H2Client client = new H2Client(host.port());
                idle.add(client);
                assertThat(client.answer(client.get("/hello")).status()).isEqualTo(200);
            }
            try (RawClient one = host.client();
                    RawClient another = host.client()) {
                assertThat(one.get("/hello").read().status()).isEqualTo(200);
                int places = another.get("/hello").read().status() == 200 ? 2 : 1;
                TestHost.await(() -> host.host().connections() <= 5 + places);
            }
            idle.forEach(H2Client::close);
        }
    }

    @Test
    void whoAsksForTheWrongWindowLearnsTheSameStatusAgain() {
        try (TestHost host = plain();
                H2Client client = new H2Client(host.port())) {
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(Integer.MAX_VALUE));
            assertThat(client.farewell()).isEqualTo(3);
            assertThatThrownBy(() -> client.answer(client.get("/hello"))).isInstanceOf(RuntimeException.class);
        }
    }
}
