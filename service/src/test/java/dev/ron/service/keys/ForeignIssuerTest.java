package dev.ron.service.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
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
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When another issuer's keys are asked for, second by second and over a real socket. */
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
    private final AtomicInteger status = new AtomicInteger(200);
    private HttpServer server;
    private ForeignIssuer issuer;

    @BeforeEach
    void publish() throws Exception {
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
    }

    @AfterEach
    void stop() {
        client.close();
        loops.close();
        server.stop(0);
    }

    /** Time that passes only when the task sleeps; each second is told before the task looks at it. */
    private final class Seconds implements TaskScope {
        private final int last;
        private final IntConsumer each;
        private int second;

        Seconds(int last, IntConsumer each) {
            this.last = last;
            this.each = each;
        }

        @Override
        public boolean sleep(Duration duration) {
            clock.advance(duration);
            second++;
            each.accept(second);
            return second < last;
        }

        @Override
        public boolean stopping() {
            return second >= last;
        }

        @Override
        public boolean awaitStop(Deadline deadline) {
            throw new UnsupportedOperationException("it sleeps, and waits for nothing else");
        }

        @Override
        public Deadline untilStop() {
            return Deadline.never(clock);
        }

        @Override
        public <C extends AutoCloseable> C own(C resource) {
            return resource;
        }

        @Override
        public Clock clock() {
            return clock;
        }

        @Override
        public String name() {
            return "test";
        }
    }

    private long fetched() {
        return meter.count("auth_jwks_refresh_total", "result", "ok");
    }

    // any number of unknown keys  ->  one fetch in half a minute; without them one in five
    @Test
    void unknownKeysBringAFetchButNeverMany() throws Exception {
        issuer.run(new Seconds(362, second -> {
            long expected = second <= 30 ? 1 : second <= 60 ? 2 : second <= 360 ? 3 : 4;
            assertThat(fetched()).as("after %d s", second).isEqualTo(expected);
            if (second >= 10 && second <= 59) {
                issuer.wish();
            }
        }));
        assertThat(issuer.published().keys()).hasSize(1);
    }

    // the issuer is away  ->  its keys stay, until they are six hours old; then it is back
    @Test
    void aFailedFetchTakesNoKeyAwayForSixHours() throws Exception {
        issuer.run(new Seconds(302, second -> status.set(500)));
        assertThat(meter.count("auth_jwks_refresh_total", "result", "error")).isEqualTo(1);
        assertThat(issuer.published().keys()).hasSize(1);
        clock.advance(Duration.ofHours(6).minusSeconds(302));
        assertThat(issuer.isTooOld()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(issuer.isTooOld()).isTrue();
        status.set(200);
        issuer.run(new Seconds(2, second -> {}));
        assertThat(issuer.isTooOld()).isFalse();
    }

    @Test
    void keysComeOverTlsOrFromThisMachine() {
        assertThat(List.of("https://x.example/k", "http://127.0.0.1:1/k", "http://[::1]:1/k", "http://localhost/k"))
                .allMatch(url -> ForeignIssuer.isSafe(URI.create(url)));
        assertThat(List.of("http://x.example/k", "http://10.0.0.1/k", "ftp://127.0.0.1/k"))
                .noneMatch(url -> ForeignIssuer.isSafe(URI.create(url)));
    }
}
