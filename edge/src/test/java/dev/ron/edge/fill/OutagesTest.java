package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.Setup;
import dev.ron.edge.TestEdge;
import dev.ron.http.client.Addresses;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An origin that does not answer costs nobody else an answer. */
@Timeout(120)
class OutagesTest {
    @TempDir
    Path folder;

    private TestEdge edge(TestCa ca, Origin silent, Origin quick) {
        String toml = """
                [edge]
                allow = ["silent.test:%1$d", "quick.test:%2$d"]
                workers = 2
                [edge.routes.silent]
                prefix = "silent/"
                base = "https://silent.test:%1$d/"
                [edge.routes.quick]
                prefix = "quick/"
                base = "https://quick.test:%2$d/"
                [edge.ingress]
                rps_limit = 1000000
                [edge.live_fill]
                ca_file = "%3$s"
                rps = 100000
                burst = 100000
                timeout_secs = 1
                private_nets = ["127.0.0.0/8"]
                """.formatted(silent.port(), quick.port(), ca.roots);
        Addresses here =
                (host, port, deadline) -> List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Setup setup = new Setup(
                "127.0.0.1", 0, Optional.of(folder.resolve("data")), false, Optional.empty(), Optional.of(here));
        return new TestEdge(toml, setup, Backoff.Policy.DEFAULT);
    }

    // one origin takes connections and says nothing, and more of its objects are asked for than there are workers | an
    // object of another is asked for, again and again  ->  it comes in time; and once the first one speaks, its do too
    @Test
    void anOriginThatSaysNothingDoesNotHoldUpAnother() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch speaks = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        try (Origin silent = new Origin(ca, "silent.test", (head, out) -> {
                    assertThat(speaks.await(1, TimeUnit.MINUTES)).isTrue();
                    out.write(Origin.ok("at last"));
                });
                Origin quick = new Origin(ca, "quick.test", (head, out) -> out.write(Origin.ok("quick")));
                TestEdge edge = edge(ca, silent, quick);
                Crew crew = new Crew()) {
            for (int i = 0; i < 16; i++) {
                int seed = i;
                crew.addVirtual(() -> {
                    try (RawClient client = edge.client()) {
                        for (int n = 0; !over.get(); n++) {
                            RawClient.Answer answer = client.get("/edge/assets/silent/" + seed + "-" + n)
                                    .read();
                            assertThat(answer.status()).isIn(503, 504);
                            if (answer.body().contains("circuit_open")) {
                                refused.incrementAndGet();
                            }
                        }
                    }
                });
            }
            crew.go();
            Eventually.await("no more is sent there", () -> refused.get() > 100);
            for (int n = 0; n < 5; n++) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/quick/" + n);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(text(answer)).isEqualTo("quick");
            }
            assertThat(edge.metrics())
                    .containsPattern("circuit_state\\{endpoint=\"silent.test:\\d+\",service=\"edge\"} [12]")
                    .containsPattern("circuit_state\\{endpoint=\"quick.test:\\d+\",service=\"edge\"} 0");
            over.set(true);
            crew.finish();
            speaks.countDown();
            Eventually.await(
                    "it is asked again",
                    () -> edge.get("/edge/assets/silent/new").statusCode() == 200);
        }
    }
}
