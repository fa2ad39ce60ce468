package dev.ron.service.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
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
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Topology;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Tenants;
import dev.ron.token.keys.TokenKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When another issuer's keys are asked for, in virtual time and over a real socket. */
@Timeout(60)
class ForeignIssuerTest {
    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final EventLoops loops = new EventLoops("test", 1);
    private final HttpClient client = new HttpClient(
            loops,
            (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
            ClientTls.publicRoots(TlsOptions.defaults()),
            ClientOptions.defaults(),
            Meter.none());
    private final Shutdown shutdown = new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(20));
    private final AtomicInteger status = new AtomicInteger(200);
    private HttpServer server;
    private ForeignIssuer issuer;

    @BeforeEach
    void follow() throws Exception {
        byte[] keys = JwkSet.write(
                        List.of(new TokenKey(Purpose.JWT, KeyStatus.ACTIVE, Signatures.publicKey(new byte[32]))), 1, 0)
                .getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/keys", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(status.get(), keys.length);
                exchange.getResponseBody().write(keys);
            }
        });
        server.start();
        issuer = new ForeignIssuer(
                new ForeignIssuer.Source(
                        JwtConfig.of("https://login.example", "svc-x"),
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys"),
                        Tenants.ALL),
                client,
                clock,
                meter);
        Kernel kernel = new Kernel(
                Topology.of("verifier", "a verifier", IssuerKeys.TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        kernel.attach(shutdown);
        kernel.spawn(IssuerKeys.TASK, issuer::run);
        fetches("ok", 1);
        assertThat(issuer.published().keys()).hasSize(1);
    }

    @AfterEach
    void stop() {
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
        client.close();
        loops.close();
        server.stop(0);
    }

    private void fetches(String result, int count) {
        Eventually.await(
                count + " fetches: " + result,
                () -> meter.count("auth_jwks_refresh_total", "result", result) == count && clock.sleeping() > 0);
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            Eventually.await("the task sleeps", () -> clock.sleeping() > 0);
            clock.advance(Duration.ofSeconds(1));
        }
        Eventually.await("the task sleeps", () -> clock.sleeping() > 0);
    }

    // any number of unknown keys  ->  one fetch in half a minute; without them one in five
    @Test
    void unknownKeysBringAFetchButNeverMany() {
        seconds(29);
        issuer.wish();
        fetches("ok", 1);
        issuer.wish();
        seconds(2);
        fetches("ok", 2);
        issuer.wish();
        seconds(28);
        fetches("ok", 2);
        seconds(3);
        fetches("ok", 3);
        seconds(298);
        fetches("ok", 3);
        seconds(3);
        fetches("ok", 4);
    }

    // the issuer is away  ->  its keys stay, until they are six hours old; then it is back
    @Test
    void aFailedFetchTakesNoKeyAwayForSixHours() {
        status.set(500);
        seconds(301);
        fetches("error", 1);
        assertThat(issuer.published().keys()).hasSize(1);
        clock.advance(Duration.ofHours(6).minusSeconds(302));
        assertThat(issuer.isTooOld()).isFalse();
        clock.advance(Duration.ofSeconds(2));
        assertThat(issuer.isTooOld()).isTrue();
        status.set(200);
        Eventually.await("it is heard again", () -> {
            clock.advance(Duration.ofSeconds(64));
            return !issuer.isTooOld();
        });
    }

    @Test
    void keysComeOverTlsOrFromThisMachine() {
        assertThat(List.of("https://x.example/k", "http://127.0.0.1:1/k", "http://[::1]:1/k", "http://localhost/k"))
                .allMatch(url -> ForeignIssuer.isSafe(URI.create(url)));
        assertThat(List.of("http://x.example/k", "http://10.0.0.1/k", "ftp://127.0.0.1/k"))
                .noneMatch(url -> ForeignIssuer.isSafe(URI.create(url)));
    }
}
