package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verifier elsewhere: it follows the issuer over HTTP and decides from what it knows. */
class VerifierTest {
    private final Clock clock = Clock.system();
    private final EventLoops loops = new EventLoops("verifier", 1);
    private final HttpClient client = new HttpClient(
            loops,
            (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
            ClientTls.publicRoots(TlsOptions.defaults()),
            ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(10)),
            Meter.none());
    private final Shutdown shutdown = new Shutdown(clock, Meter.none(), () -> Duration.ofSeconds(20));
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of("svc-demo"), Signatures.portable(), new SignatureCache(1 << 20));
    private OfficeProcess office;
    private IssuerKeys keys;

    @BeforeEach
    void follow() throws Exception {
        office = OfficeProcess.inMemory();
        keys = following(clock);
    }

    private IssuerKeys following(Clock own) {
        IssuerSource source = new IssuerSource(
                office.service().issuer(),
                office.url(""),
                () -> Optional.of(office.service().ownKey().reveal()),
                Tenants.ALL);
        IssuerKeys followed = new IssuerKeys(source, client, own, Meter.none());
        Kernel kernel = new Kernel(
                Topology.of("verifier", "a verifier", IssuerKeys.TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        kernel.attach(shutdown);
        kernel.spawn(IssuerKeys.TASK, followed::run);
        return followed;
    }

    /** The same moment on a clock that is wrong by so many seconds. */
    private record WrongClock(long seconds) implements Clock {
        @Override
        public long nanos() {
            return Clock.system().nanos();
        }

        @Override
        public Instant now() {
            return Clock.system().now().plusSeconds(seconds);
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            Clock.system().park(blocker, untilNanos);
        }
    }

    @AfterEach
    void stop() {
        office.close();
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30)));
        client.close();
        loops.close();
    }

    private String verdict(String token, String method, long now) {
        Decision decision =
                verifier.verify(token, RequestContext.at(now).method(method).build(), keys.state());
        return decision instanceof Decision.Deny deny ? deny.reason().wire() : "allow";
    }

    private long now() {
        return clock.now().getEpochSecond();
    }

    @Test
    void beforeTheIssuerWasHeardEverythingIsDeniedAndThenTokensAndRevocationsArrive() {
        String token = office.issue();
        Eventually.await("the first state", () -> verdict(token, "PUT", now()).equals("allow"));
        office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
        Eventually.await("the revocation", () -> verdict(token, "GET", now()).equals("revoked"));
    }

    @Test
    void anEmergencyRotationReachesTheVerifierAtOnce() {
        String old = office.issue();
        Eventually.await("the first state", () -> verdict(old, "GET", now()).equals("allow"));
        office.rotate("pct", true);
        String fresh = office.issue();
        Eventually.await("the new key", () -> verdict(fresh, "GET", now()).equals("allow"));
        assertThat(verdict(old, "GET", now())).isNotEqualTo("allow");
        office.rotate("feed", true);
        String later = office.issue();
        office.post("/v1/passport/revoke", "{\"token\":\"" + later + "\"}");
        Eventually.await(
                "a feed signed anew", () -> verdict(later, "GET", now()).equals("revoked"));
    }

    // the feed is lost  ->  writes are denied after 30 s, reads after 300 s
    @Test
    void aLostFeedStopsWritesFirstAndThenEverything() {
        String token = office.issue();
        Eventually.await("the first state", () -> verdict(token, "GET", now()).equals("allow"));
        office.close();
        long asOf = now() - keys.ageSeconds();
        assertThat(verdict(token, "PUT", asOf + 30)).isEqualTo("allow");
        assertThat(verdict(token, "PUT", asOf + 31)).isEqualTo("stale_state");
        assertThat(verdict(token, "GET", asOf + 31)).isEqualTo("allow");
        assertThat(verdict(token, "GET", asOf + 300)).isEqualTo("allow");
        assertThat(verdict(token, "GET", asOf + 301)).isEqualTo("stale_state");
    }

    // a verifier whose clock is a minute off  ->  it may write all the same; two minutes  ->  it may not
    @Test
    void aMinuteOfClockSkewIsForgivenForWritesAndNoMore() {
        String token = office.issue();
        for (long wrong : new long[] {55, -55}) {
            keys = following(new WrongClock(wrong));
            Eventually.await(
                    "the first state",
                    () -> verdict(token, "PUT", now() + wrong).equals("allow"));
        }
        keys = following(new WrongClock(120));
        Eventually.await(
                "the first state", () -> verdict(token, "GET", now() + 120).equals("allow"));
        assertThat(verdict(token, "PUT", now() + 120)).isEqualTo("stale_state");
    }
}
