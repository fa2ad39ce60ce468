package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.service.reload.ReloadOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A gateway that changes under load, over real sockets. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ReloadTest {
    private static final int ROUNDS = Boolean.getBoolean("ron.long") ? 300 : 15;

    private static RawServer answering(String body) {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            }
        });
    }

    private static String config(int port, int inflight, String more) {
        return """
                [gateway.routes.all]
                path = "/**"
                upstream = "one"
                auth = "none"
                %s
                [gateway.upstreams.one]
                max_inflight = %d
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(more, inflight, port);
    }

    // ten reloads a second | requests  ->  every one is answered by the old configuration or by the new one
    @Test
    void noRequestIsLostWhileTheConfigurationChanges() throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                RawServer first = answering("first");
                RawServer second = answering("second");
                TestGateway gateway = new TestGateway(config(first.port(), 8, ""))) {
            AtomicBoolean stop = new AtomicBoolean();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            AtomicInteger good = new AtomicInteger();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                callers.add(CompletableFuture.runAsync(() -> call(gateway, stop, good, wrong), threads));
            }
            CountDownLatch never = new CountDownLatch(1);
            for (int round = 0; round < ROUNDS; round++) {
                boolean other = round % 2 == 0;
                String next = config((other ? second : first).port(), 4 + round % 5, other ? "timeout = \"3s\"" : "");
                assertThat(gateway.reload(next)).isEqualTo(ReloadOutcome.APPLIED);
                assertThat(never.await(100, TimeUnit.MILLISECONDS)).isFalse();
            }
            stop.set(true);
            callers.forEach(CompletableFuture::join);
            assertThat(wrong).isEmpty();
            assertThat(good).hasPositiveValue();
        }
    }

    private static void call(TestGateway gateway, AtomicBoolean stop, AtomicInteger good, Queue<String> wrong) {
        try (RawClient client = gateway.client()) {
            while (!stop.get()) {
                RawClient.Answer answer = client.get("/").read();
                if (answer.status() == 200) {
                    good.incrementAndGet();
                } else {
                    wrong.add(answer.status() + " " + answer.body());
                    return;
                }
            }
        }
    }

    @Test
    void routesLimitsAndSharesChangeAtOnce() {
        try (RawServer server = answering("ok");
                TestGateway gateway = new TestGateway(config(server.port(), 8, ""));
                RawClient client = gateway.client()) {
            assertThat(client.get("/a").read().status()).isEqualTo(200);
            assertThat(gateway.reload(config(server.port(), 8, "").replace("/**", "/b/**")))
                    .isEqualTo(ReloadOutcome.APPLIED);
            assertThat(client.get("/a").read().status()).isEqualTo(404);
            assertThat(client.get("/b/x").read().status()).isEqualTo(200);
            assertThat(gateway.reload(
                            "[gateway.drr]\nrate_limit_rps = 1\nrate_limit_burst = 1\n" + config(server.port(), 8, "")))
                    .isEqualTo(ReloadOutcome.APPLIED);
            AtomicReference<RawClient.Answer> over = new AtomicReference<>();
            Eventually.await("the rate counts", () -> {
                over.set(client.get("/").read());
                return over.get().status() == 429;
            });
            assertThat(over.get().body()).contains("gateway.drr.rate_limit_rps is 1");
        }
    }

    @Test
    void whatNobodyCouldOpenIsNotTaken() {
        try (RawServer server = answering("ok");
                TestGateway gateway = new TestGateway(config(server.port(), 8, ""));
                RawClient client = gateway.client()) {
            String closed = config(server.port(), 8, "").replace("auth = \"none\"", "auth = \"required\"");
            assertThat(gateway.reload(closed)).isEqualTo(ReloadOutcome.PREPARE_FAILED);
            assertThat(client.get("/").read().status()).isEqualTo(200);
        }
    }
}
