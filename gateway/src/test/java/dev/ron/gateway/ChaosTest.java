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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What goes wrong while requests run: dying workers, a dying scheduler, callers that leave, bounds that shrink. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ChaosTest {
    private static final boolean LONG = Boolean.getBoolean("ron.long");
    private static final Set<Integer> ANSWERS = Set.of(200, 429, 503);

    private final AtomicInteger atUpstream = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            CountDownLatch never = new CountDownLatch(1);
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                most.accumulateAndGet(atUpstream.incrementAndGet(), Math::max);
                never.await(2, TimeUnit.MILLISECONDS); // the work
                atUpstream.decrementAndGet();
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
    }

    private static String config(int port, int inflight) {
        return """
                [gateway.proxy]
                trusted_cidrs = ["127.0.0.0/8"]
                [gateway.routes.all]
                path = "/**"
                upstream = "one"
                auth = "none"
                tenant = "header:X-Customer"
                [gateway.upstreams.one]
                max_inflight = %d
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(inflight, port);
    }

    private static RawClient.Answer ask(RawClient client, String tenant) {
        return client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Customer: " + tenant + "\r\n\r\n")
                .read();
    }

    /** Asks until told to stop; every answer must be one of those that may come. */
    private static void call(TestGateway gateway, String tenant, AtomicBoolean stop, Queue<String> wrong) {
        try (RawClient client = gateway.client()) {
            while (!stop.get()) {
                RawClient.Answer answer = ask(client, tenant);
                if (!ANSWERS.contains(answer.status())) {
                    wrong.add(answer.status() + " " + answer.body());
                }
            }
        }
    }

    /** Asks and leaves without the answer, again and again. */
    private static void leave(TestGateway gateway, AtomicBoolean stop) {
        Random random = new Random(1);
        while (!stop.get()) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Customer: leaver\r\n\r\n");
                if (random.nextBoolean()) {
                    client.read();
                }
            }
        }
    }

    // kill workers and scheduler | requests of two tenants | callers that leave | a limit that changes
    //   ->  every request has an answer, the limit is never exceeded, and all is well again afterwards
    @Test
    void everyRequestIsAnsweredWhateverDies() throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                RawServer server = upstream();
                TestGateway gateway = new TestGateway(config(server.port(), 4))) {
            AtomicBoolean stop = new AtomicBoolean();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(CompletableFuture.runAsync(() -> call(gateway, "acme", stop, wrong), threads));
                callers.add(CompletableFuture.runAsync(() -> call(gateway, "globex", stop, wrong), threads));
            }
            callers.add(CompletableFuture.runAsync(() -> leave(gateway, stop), threads));
            CountDownLatch never = new CountDownLatch(1);
            // four deaths of a task within a minute are the most before it is put into quarantine
            for (int round = 0; round < (LONG ? 240 : 4); round++) {
                gateway.service().killWorkersAndScheduler();
                assertThat(gateway.reload(config(server.port(), 1 + round % 4)))
                        .isNotEqualTo(ReloadOutcome.PREPARE_FAILED);
                assertThat(never.await(LONG ? 15_000 : 300, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
            stop.set(true);
            callers.forEach(CompletableFuture::join);
            assertThat(wrong).isEmpty();
            assertThat(most.get()).isLessThanOrEqualTo(4);
            assertThat(gateway.metrics()).contains("kind=\"worker\"");
            Eventually.await("it serves again", () -> {
                try (RawClient client = gateway.client()) {
                    return ask(client, "acme").status() == 200;
                }
            });
            Eventually.await(
                    "nothing is left at the upstream",
                    () -> gateway.service()
                            .views()
                            .orElseThrow()
                            .upstreams()
                            .toString()
                            .contains("inflight=0, waiting=0"));
            Eventually.await(
                    "it is ready", () -> gateway.frame().ready("gateway").ready());
        }
    }

    @Test
    void fourThousandTenantsAndMoreAreServed() {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                RawServer server = upstream();
                TestGateway gateway = new TestGateway(config(server.port(), 64))) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            for (int part = 0; part < 4; part++) {
                int from = part * 1050;
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            try (RawClient client = gateway.client()) {
                                for (int i = from; i < from + 1050; i++) {
                                    RawClient.Answer answer = ask(client, "t" + i);
                                    if (answer.status() != 200) {
                                        wrong.add(answer.status() + " " + answer.body());
                                    }
                                }
                            }
                        },
                        threads));
            }
            callers.forEach(CompletableFuture::join);
            assertThat(wrong).isEmpty();
            String tenants = gateway.service().views().orElseThrow().tenants().toString();
            assertThat(tenants).contains("_overflow");
            Eventually.await(
                    "labels are bounded",
                    () -> gateway.metrics()
                            .contains("gateway_drr_dispatched_total{service=\"gateway\",tenant=\"other\"}"));
        }
    }
}
