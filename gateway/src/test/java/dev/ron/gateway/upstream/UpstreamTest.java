package dev.ron.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.TestGateway;
import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.arbiter.ArbiterSettings;
import dev.ron.gateway.arbiter.ArbiterWatch;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.VirtualClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpstreamTest {
    private final VirtualClock clock = new VirtualClock();
    private final EventLoops loops = new EventLoops("upstream-test", 1);

    @AfterEach
    void stop() {
        loops.close();
    }

    private Upstream upstream(String more, int targets) {
        StringBuilder toml = new StringBuilder(more);
        for (int i = 1; i <= targets; i++) {
            toml.append("\n[[gateway.upstreams.u.targets]]\nurl = \"http://127.0.0.1:" + i + "\"\n");
        }
        GatewayConfig config = TestGateway.load(toml.toString()).section(GatewayConfig.class);
        Upstream made = new Upstream(
                "u",
                Objects.requireNonNull(config.upstreams().get("u")),
                config.breaker(),
                new Arbiter(ArbiterSettings.of(64), Runnable::run, new EveryThingIsFine()),
                new StreamClient(loops, Optional.empty()),
                clock,
                Meter.none());
        made.targets()
                .forEach(target ->
                        made.resolved(target, List.of(address(target.target().port()))));
        return made;
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int share(Upstream upstream, UpstreamTarget of, int picks) {
        int times = 0;
        for (int i = 0; i < picks; i++) {
            UpstreamTarget picked = upstream.pick(null);
            times += picked.equals(of) ? 1 : 0;
            picked.canceled();
        }
        return times;
    }

    private static void fail(UpstreamTarget target, int times) {
        for (int i = 0; i < times; i++) {
            target.breaker().enter();
            target.entered();
            target.failed(1, new RonException(Code.UNAVAILABLE, "test"));
        }
    }

    @Test
    void theBusierOfTwoIsChosenOnlyWhenItWasDrawnTwice() {
        Upstream upstream = upstream("", 2);
        UpstreamTarget busy = upstream.targets().getFirst();
        for (int i = 0; i < 10; i++) {
            busy.entered();
        }
        assertThat(share(upstream, busy, 400)).isLessThan(200);
    }

    @Test
    void anotherTargetIsPreferredForARetry() {
        Upstream upstream = upstream("", 2);
        UpstreamTarget first = upstream.targets().getFirst();
        for (int i = 0; i < 50; i++) {
            UpstreamTarget picked = upstream.pick(first);
            assertThat(picked).isNotEqualTo(first);
            picked.canceled();
        }
    }

    @Test
    void failuresInARowTakeATargetOutForAWhile() {
        Upstream upstream = upstream("", 2);
        UpstreamTarget sick = upstream.targets().getFirst();
        fail(sick, 4);
        assertThat(sick.ejected()).isFalse();
        fail(sick, 1);
        assertThat(sick.ejected()).isTrue();
        assertThat(share(upstream, sick, 50)).isZero();
        clock.advance(Duration.ofSeconds(2));
        assertThat(sick.ejected()).isFalse();
        fail(sick, 5);
        clock.advance(Duration.ofSeconds(2));
        assertThat(sick.ejected()).as("the while doubles").isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(sick.ejected()).isFalse();
    }

    @Test
    void neverMoreThanTheAllowedShareIsOut() {
        Upstream upstream = upstream("", 4);
        upstream.targets().forEach(target -> fail(target, 5));
        assertThat(upstream.targets().stream().filter(UpstreamTarget::ejected)).hasSize(2);
        clock.advance(Duration.ofSeconds(2));
        assertThat(upstream.targets().stream().filter(UpstreamTarget::ejected)).isEmpty();
        upstream.targets().forEach(target -> fail(target, 5));
        assertThat(upstream.targets().stream().filter(UpstreamTarget::ejected)).hasSize(2);
    }

    @Test
    void whereNoneIsHealthyAllAreTried() {
        Upstream upstream = upstream("", 2);
        upstream.targets().forEach(target -> target.probed(false));
        assertThat(share(upstream, upstream.targets().getFirst(), 200)).isBetween(1, 199);
    }

    @Test
    void whenEveryCircuitIsOpenTheCallerIsTold() {
        Upstream upstream = upstream("[gateway.breaker]\nmin_calls = 5\neject_after = 1000\n", 2);
        upstream.targets().forEach(target -> fail(target, 5));
        assertThatThrownBy(() -> upstream.pick(null))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo("circuit_open"));
    }

    @Test
    void newAddressesAreUsedAndOldOnesRetired() {
        Upstream upstream = upstream("", 1);
        UpstreamTarget target = upstream.targets().getFirst();
        Endpoint old = target.endpoint();
        upstream.resolved(target, List.of(address(1), address(9)));
        assertThat(target.endpoints()).hasSize(2).contains(old);
        upstream.resolved(target, List.of(address(9)));
        assertThat(target.endpoints()).hasSize(1).doesNotContain(old);
    }

    @Test
    void addressesOfNoUpstreamAreLeftOut() throws UnknownHostException {
        for (String address : List.of("169.254.169.254", "224.0.0.1", "0.0.0.0", "fe80::1", "ff02::1", "::")) {
            assertThat(AllowedAddresses.allowed(InetAddress.getByName(address)))
                    .as(address)
                    .isFalse();
        }
        for (String address : List.of("127.0.0.1", "10.0.0.1", "::1", "192.0.2.1")) {
            assertThat(AllowedAddresses.allowed(InetAddress.getByName(address)))
                    .as(address)
                    .isTrue();
        }
    }

    @Test
    void aTargetThatSaysItIsNotWellGetsNoRequests() {
        RawServer.Script sick = (peer, number) -> {
            for (String head = peer.readRequest(); !head.isEmpty(); head = peer.readRequest()) {
                boolean probe = head.startsWith("GET /h ");
                peer.write("HTTP/1.1 " + (probe ? 500 : 200) + " X\r\nContent-Length: 4\r\n\r\nsick");
            }
        };
        RawServer.Script fine = (peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine");
            }
        };
        try (RawServer one = new RawServer(sick);
                RawServer two = new RawServer(fine);
                TestGateway gateway = TestGateway.to(
                        "[gateway.upstreams.one]\nhealth = { path = \"/h\", interval = \"100ms\", fall = 2 }\n",
                        one.port(),
                        two.port());
                RawClient client = gateway.client()) {
            String series = "gateway_upstream_healthy{service=\"gateway\",target=\"127.0.0.1:" + one.port()
                    + "\",upstream=\"one\"} 0.0";
            Eventually.await("it is known to be sick", () -> gateway.metrics().contains(series));
            for (int i = 0; i < 30; i++) {
                assertThat(client.get("/").read().body()).isEqualTo("fine");
            }
        }
    }

    private static final class EveryThingIsFine implements ArbiterWatch {
        @Override
        public void restarted(Throwable cause, int shed) {}

        @Override
        public void fellBackToFifo() {}

        @Override
        public void callerFailed(RuntimeException failure) {}
    }
}
