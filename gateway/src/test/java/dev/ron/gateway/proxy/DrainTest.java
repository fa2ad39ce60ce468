package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainTest {
    private final AtomicInteger working = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            peer.readRequest();
            working.incrementAndGet();
            go.await();
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        });
    }

    private static List<RawClient> asking(TestGateway gateway, int count) {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(gateway.client().get("/"));
        }
        return clients;
    }

    // stop | requests at the upstream  ->  every one is answered, and the process ends clean
    @Test
    void whatWasAcceptedIsAnsweredWhenTheGatewayStops() {
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port())) {
            List<RawClient> clients = asking(gateway, 20);
            Eventually.await("all are at the upstream", () -> working.get() == 20);
            var stopped = CompletableFuture.supplyAsync(gateway::stop);
            Eventually.await("it stops", () -> !gateway.frame().shutdown().running());
            go.countDown();
            for (RawClient client : clients) {
                assertThat(client.read().body()).isEqualTo("ok");
                client.close();
            }
            assertThat(stopped.join().clean()).isTrue();
        }
    }

    // stop | requests that run, requests that wait  ->  who waits is told at once, who runs may finish
    @Test
    void whoWaitsIsToldAtOnceAndWhoRunsMayFinish() {
        String slow = "[gateway]\nrequest_timeout = \"60s\"\n[gateway.drr]\nmax_queue_wait = \"60s\"\n"
                + "[gateway.upstreams.one]\nmax_inflight = 2\n";
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                RawServer server = upstream();
                TestGateway gateway = TestGateway.to(slow, server.port())) {
            List<RawClient> clients = asking(gateway, 10);
            Eventually.await("two are at the upstream", () -> working.get() == 2);
            Eventually.await(
                    "the others wait",
                    () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 8"));
            List<CompletableFuture<Integer>> answers = clients.stream()
                    .map(client ->
                            CompletableFuture.supplyAsync(() -> client.read().status(), callers))
                    .toList();
            var stopped = CompletableFuture.supplyAsync(gateway::stop, callers);
            Eventually.await(
                    "who waited is answered",
                    () -> answers.stream().filter(CompletableFuture::isDone).count() == 8);
            assertThat(answers.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                    .containsOnly(503);
            go.countDown();
            assertThat(answers.stream().map(CompletableFuture::join).filter(status -> status == 200))
                    .hasSize(2);
            clients.forEach(RawClient::close);
            assertThat(stopped.join().clean()).isTrue();
        }
    }

    // stop | requests that never end  ->  cut at the deadline, and counted
    @Test
    void whatDoesNotEndIsCutAtTheDeadlineAndCounted() {
        String slow = "[gateway]\nrequest_timeout = \"60s\"\n";
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to(slow, Duration.ofSeconds(2), server.port())) {
            List<RawClient> clients = asking(gateway, 3);
            Eventually.await("all are at the upstream", () -> working.get() == 3);
            Shutdown.Report report = gateway.stop();
            assertThat(report.clean()).isFalse();
            assertThat(report.aborted()).isEqualTo(3);
            go.countDown();
            clients.forEach(RawClient::close);
        }
    }
}
