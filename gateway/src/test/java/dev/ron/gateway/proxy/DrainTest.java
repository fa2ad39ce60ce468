package dev.ron.gateway.proxy;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import java.time.Duration;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    // stop | a request whose answer turns out to be an event stream  ->  it begins, it ends, and the process ends clean
    @Test
    void anEventStreamThatBeginsWhileTheGatewayStopsEndsAtOnce() {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    working.incrementAndGet();
                    go.await();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
                    peer.readRequest(); // until the gateway leaves
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient idle = gateway.client();
                RawClient client = gateway.client().get("/")) {
            Eventually.await("it is at the upstream", () -> working.get() == 1);
            var stopped = CompletableFuture.supplyAsync(gateway::stop);
            assertThat(idle.closedByPeer()).as("the drain has begun").isTrue();
            go.countDown();
            assertThat(client.read().status()).isEqualTo(200);
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

    private static final class Load implements Runnable {
        private final TestGateway gateway;
        private final AtomicBoolean stopping;
        private final Queue<String> wrong;
        private int answered;

        Load(TestGateway gateway, AtomicBoolean stopping, Queue<String> wrong) {
            this.gateway = gateway;
            this.stopping = stopping;
            this.wrong = wrong;
        }

        /** Asks until it is sent away; an end without a byte is one only while the gateway stops. */
        @Override
        public void run() {
            try (RawClient client = gateway.client()) {
                while (true) {
                    RawClient.Answer answer = client.get("/quick").read();
                    answered++;
                    if (answer.status() == 503 || answer.closes()) {
                        return;
                    }
                    if (answer.status() != 200) {
                        wrong.add(answer.status() + " " + answer.body());
                    }
                }
            } catch (RuntimeException e) {
                if (!stopping.get()) {
                    wrong.add(e.toString());
                }
            }
        }
    }

    // stop under load | upstreams of 0.1, 3 and 30 s, at a tenth of that, with four seconds to drain
    //   ->  what can end in time is answered; what cannot is cut, and counted exactly
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void aDrainUnderLoadGivesUpOnlyWhatCannotEndInTime() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                RawServer server = new RawServer((peer, number) -> {
                    for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                        boolean quick = request.startsWith("GET /quick");
                        busy.addAndGet(quick ? 0 : 1);
                        never.await(quick ? 10 : request.startsWith("GET /middle") ? 300 : 30_000, MILLISECONDS);
                        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    }
                });
                TestGateway gateway = TestGateway.to(
                        "[gateway]\nrequest_timeout = \"60s\"\n", Duration.ofSeconds(4), server.port())) {
            AtomicBoolean stopping = new AtomicBoolean();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            List<Load> load = new ArrayList<>();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Load one = new Load(gateway, stopping, wrong);
                load.add(one);
                callers.add(CompletableFuture.runAsync(one, threads));
            }
            List<RawClient> middle = List.of(gateway.client(), gateway.client(), gateway.client());
            List<RawClient> slow = List.of(gateway.client(), gateway.client());
            slow.forEach(client -> client.get("/slow"));
            middle.forEach(client -> client.get("/middle"));
            Eventually.await("all are at the upstream", () -> busy.get() == 5);
            stopping.set(true);
            Shutdown.Report report = gateway.stop();
            callers.forEach(CompletableFuture::join);
            middle.forEach(client -> assertThat(client.read().body()).isEqualTo("ok"));
            assertThat(report.aborted()).isEqualTo(2);
            assertThat(wrong).isEmpty();
            assertThat(load).allSatisfy(one -> assertThat(one.answered).isPositive());
            middle.forEach(RawClient::close);
            slow.forEach(RawClient::close);
            never.countDown();
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
