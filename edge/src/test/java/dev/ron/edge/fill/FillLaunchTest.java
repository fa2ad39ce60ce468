package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.config.FillRouteConfig;
import dev.ron.http.client.Target;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.metrics.Metrics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens between a look at what is known and the join of a flight. */
@Timeout(60)
class FillLaunchTest {
    private static final Target ORIGIN = Target.of("https://origin.test/");
    private static final AssetKey KEY = new AssetKey(
            new FillRouteConfig(
                    "o/",
                    URI.create("https://origin.test/"),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty()),
            ORIGIN,
            "/a");

    private final EdgeConfig config =
            TestEdge.load("[edge]\nallow = [\"origin.test\"]\n").section(EdgeConfig.class);
    private final AssetIndex index = new AssetIndex(1 << 20, Clock.system());
    private final Flights<Errand, Filled> flights = new Flights<>();
    private final Mailbox<FillJob> work =
            new Mailbox<>(Topology.mailbox("work", 4).onFull(OnFull.REJECT_NEW), Meter.none(), (job, cause) -> {});

    /** The flight before this one fails after this request has looked, and before it joins. */
    private final class LandsBetween implements Fills.FilledSender {
        @Override
        public void miss(boolean stale) {
            index.miss(
                    KEY, new RonException(Code.NOT_FOUND, "not_found", "gone"), Duration.ofMinutes(1), index.purges());
        }

        @Override
        public void negative() {}

        @Override
        public void stored(Exchange exchange, AssetKey key, Stored object, String status, Runnable gone) {
            throw new AssertionError("nothing is stored");
        }

        @Override
        public Optional<Ready> ready(AssetKey key, Stored object, boolean written) {
            throw new AssertionError("nothing is stored");
        }

        @Override
        public Ready passing(Filled.Passing object) {
            throw new AssertionError("nothing is brought");
        }
    }

    // look | the flight before lands, and brought nothing | join  ->  told so, and not fetched a second time
    @Test
    void aFailureThatLandsBetweenLookAndJoinIsNotFetchedAgain() throws Exception {
        Fills fills = new Fills(
                flights,
                work,
                index,
                new LandsBetween(),
                new TokenBucket(Clock.system(), 100, 100),
                new FillMeter(new Metrics().service("edge")),
                () -> config,
                Clock.system());
        StreamHandler handler = exchange -> fills.handle(exchange, KEY);
        try (TestHost host = TestHost.with(routes -> routes.add(List.of("GET"), "/a", handler))) {
            for (String preference : List.of("wait=30", "respond-async")) {
                index.purge(_ -> true, Deadline.never(Clock.system()));
                try (RawClient client = host.client()) {
                    RawClient.Answer answer = client.send(
                                    "GET /a HTTP/1.1\r\nHost: x\r\nPrefer: " + preference + "\r\n\r\n")
                            .read();
                    assertThat(answer.status()).as(preference).isEqualTo(404);
                }
                assertThat(work.tryReceive()).isEmpty();
                assertThat(flights.size()).isZero();
            }
        }
    }
}
