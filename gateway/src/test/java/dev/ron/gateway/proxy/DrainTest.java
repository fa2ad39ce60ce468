package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainTest {

    // stop | requests at the upstream  ->  every one is answered, and the process ends clean
    @Test
    void whatWasAcceptedIsAnsweredWhenTheGatewayStops() {
        AtomicInteger working = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    working.incrementAndGet();
                    go.await();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                TestGateway gateway = TestGateway.to("", server.port())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(gateway.client().get("/"));
            }
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
}
