package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class DrainTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static Shutdown shutdown(TestHost host, Duration limit) {
        Shutdown shutdown = new Shutdown(Clock.system(), Meter.none(), () -> limit);
        host.host().attach(shutdown);
        host.kernel().attach(shutdown);
        return shutdown;
    }

    private static Shutdown.Report stopped(Shutdown shutdown) {
        return shutdown.awaitStopped(Deadline.after(Clock.system(), LONG)).orElseThrow();
    }

    /** Waits for what must not come: a right drain takes all of this time, a wrong one is caught. */
    private static void giveTimeTo(BooleanSupplier wrong) throws InterruptedException {
        for (int i = 0; i < 50 && !wrong.getAsBoolean(); i++) {
            Thread.sleep(4);
        }
    }

    @Test
    void whatWasAcceptedIsAnsweredAndWhatComesLaterIsRefused() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        try (TestHost host = TestHost.with(routes -> routes.get("/wait", (BlockingHandler) request -> {
                            running.countDown();
                            letGo.await();
                            return Response.text("done");
                        })
                        .get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick"))));
                RawClient waiting = host.client();
                RawClient halfway = host.client();
                RawClient idle = host.client()) {
            assertThat(idle.get("/").read().body()).isEqualTo("quick");
            waiting.get("/wait");
            running.await();
            halfway.send("GET / HTTP/1.1\r\n");
            TestHost.await(() -> host.host().connections() == 3);
            Shutdown shutdown = shutdown(host, LONG);
            shutdown.request("test", "drain");
            assertThat(idle.closedByPeer()).as("an idle connection is closed").isTrue();
            TestHost.await(() -> host.host().draining());
            halfway.send("Host: x\r\n\r\n");
            RawClient.Answer late = halfway.read();
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.header("Retry-After")).contains("1");
            assertThat(late.body()).contains("\"reason\":\"draining\"");
            assertThat(halfway.closedByPeer()).isTrue();
            letGo.countDown();
            RawClient.Answer accepted = waiting.read();
            assertThat(accepted.body()).isEqualTo("done");
            assertThat(accepted.closes()).isTrue();
            Shutdown.Report report = stopped(shutdown);
            assertThat(report.clean()).isTrue();
            assertThat(host.host().listening()).isFalse();
            assertThat(host.host().connections()).isZero();
        }
    }

    // callers connect and ask, and no loop has looked yet | the host stops  ->  they are accepted and answered
    @Test
    void whoWaitsToBeAcceptedIsAccepted() throws Exception {
        try (TestHost host = TestHost.with(
                HostConfig.DEFAULTS,
                Clock.system(),
                routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick"))),
                builder -> builder.drainGrace(new DrainGrace(Duration.ofSeconds(1), LONG)))) {
            CountDownLatch look = new CountDownLatch(1);
            for (EventExecutor loop : host.loops().group()) {
                Future<Boolean> held = loop.submit(() -> look.await(1, TimeUnit.MINUTES));
                assertThat(held.isDone()).isFalse();
            }
            List<RawClient> callers = new ArrayList<>();
            for (int i = 0; i < 40; i++) { // more than are accepted at a time
                callers.add(host.client().get("/"));
            }
            int tasks = tasks(host);
            Shutdown shutdown = shutdown(host, LONG);
            shutdown.request("test", "drain");
            TestHost.await(() -> tasks(host) > tasks);
            look.countDown();
            for (RawClient caller : callers) {
                assertThat(caller.read().status()).isEqualTo(200);
                caller.close();
            }
            assertThat(stopped(shutdown).clean()).isTrue();
        }
    }

    // callers are accepted, and their loop has not looked at them yet | the host stops  ->  they are waited for
    @Test
    void whoWasAcceptedAndIsNotKnownYetIsWaitedFor() throws Exception {
        for (int one = 0; one < 2; one++) { // on one of them is the listener: then nobody is accepted yet either
            try (TestHost host = TestHost.with(
                    HostConfig.DEFAULTS,
                    Clock.system(),
                    routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick"))),
                    builder -> builder.drainGrace(new DrainGrace(Duration.ofSeconds(1), LONG)))) {
                CountDownLatch look = new CountDownLatch(1);
                List<EventExecutor> loops = new ArrayList<>();
                host.loops().group().forEach(loops::add);
                Future<Boolean> held = loops.get(one).submit(() -> look.await(1, TimeUnit.MINUTES));
                RawClient caller = host.client(); // alone: who is known already would be waited for anyway
                Shutdown shutdown = shutdown(host, LONG);
                shutdown.request("test", "drain");
                giveTimeTo(host.host()::draining);
                look.countDown();
                assertThat(held.get()).isTrue();
                assertThat(caller.get("/").read().status()).isEqualTo(200);
                caller.close();
                assertThat(stopped(shutdown).clean()).isTrue();
            }
        }
    }

    /** What waits for its turn on the loops. */
    private static int tasks(TestHost host) {
        int all = 0;
        for (EventExecutor loop : host.loops().group()) {
            all += ((SingleThreadEventExecutor) loop).pendingTasks();
        }
        return all;
    }

    // a caller connects | the host stops | the caller asks  ->  it is answered, whatever the others are told
    @Test
    void whoHasOnlyJustComeIsWaitedFor() throws Exception {
        try (TestHost host = TestHost.with(
                        HostConfig.DEFAULTS,
                        Clock.system(),
                        routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick"))),
                        builder -> builder.drainGrace(new DrainGrace(Duration.ZERO, LONG)));
                RawClient newcomer = host.client()) {
            TestHost.await(() -> host.host().connections() == 1);
            Shutdown shutdown = shutdown(host, LONG);
            shutdown.request("test", "drain");
            TestHost.await(() -> !host.host().listening());
            giveTimeTo(host.host()::draining);
            RawClient.Answer answer = newcomer.get("/").read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            assertThat(stopped(shutdown).clean()).isTrue();
        }
    }

    // a caller connects | the host stops | nobody asks  ->  the stop goes on when the newcomer has had its time
    @Test
    void aNewcomerThatNeverAsksHoldsAStopUpOnlyForItsTime() throws Exception {
        try (TestHost host = TestHost.with(
                        HostConfig.DEFAULTS,
                        Clock.system(),
                        routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick"))),
                        builder -> builder.drainGrace(new DrainGrace(Duration.ZERO, Duration.ofMillis(300))));
                RawClient newcomer = host.client()) {
            TestHost.await(() -> host.host().connections() == 1);
            Shutdown shutdown = shutdown(host, Duration.ofHours(1));
            shutdown.request("test", "drain");
            assertThat(newcomer.closedByPeer()).isTrue();
            assertThat(stopped(shutdown).clean()).isTrue();
        }
    }

    @Test
    void aRequestThatDoesNotEndIsAbortedAndCounted() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        try (TestHost host = TestHost.with(routes -> routes.get("/never", (BlockingHandler) request -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return Response.noContent();
                }));
                RawClient client = host.client()) {
            client.get("/never");
            running.await();
            Shutdown shutdown = shutdown(host, Duration.ofMillis(50));
            shutdown.request("test", "drain");
            Shutdown.Report report = stopped(shutdown);
            assertThat(report.aborted()).isPositive();
            assertThat(report.exitCode()).isEqualTo(3);
            assertThat(host.host().inflight()).isZero();
        }
    }

    // clients ask without pause | drain  ->  every request that reached a handler has exactly one answer
    @Test
    void underLoadNoAcceptedRequestIsLeftUnanswered() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger warm = new AtomicInteger();
        AtomicInteger cut = new AtomicInteger();
        try (TestHost host = TestHost.with(
                HostConfig.DEFAULTS,
                Clock.system(),
                routes -> routes.get("/a", (BlockingHandler) request -> {
                            handled.incrementAndGet();
                            return Response.text("ok");
                        })
                        .get("/b", (StreamHandler) exchange -> {
                            handled.incrementAndGet();
                            exchange.respond(Response.text("ok"));
                        }),
                builder -> builder.drainGrace(new DrainGrace(LONG, LONG)))) {
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String path = i % 2 == 0 ? "/a" : "/b";
                clients.add(Thread.ofVirtual().start(() -> ask(host, path, answered, warm, cut)));
            }
            TestHost.await(() -> warm.get() == 16);
            Shutdown shutdown = shutdown(host, LONG);
            shutdown.request("test", "drain");
            Shutdown.Report report = stopped(shutdown);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(report.clean()).isTrue();
            assertThat(answered.get()).isPositive().isEqualTo(handled.get());
            assertThat(cut.get()).as("busy callers that lost a request").isZero();
        }
    }

    /** Asks on one connection until it is told to go; counts answers with a body from the handler. */
    private static void ask(TestHost host, String path, AtomicInteger answered, AtomicInteger warm, AtomicInteger cut) {
        try (RawClient client = host.client()) {
            int good = 0;
            while (true) {
                RawClient.Answer answer = client.get(path).read();
                if (answer.status() == 200) {
                    answered.incrementAndGet();
                    if (++good == 100) {
                        warm.incrementAndGet();
                    }
                }
                if (answer.closes()) {
                    return;
                }
            }
        } catch (UncheckedIOException closedOnARequest) {
            cut.incrementAndGet();
        }
    }
}
