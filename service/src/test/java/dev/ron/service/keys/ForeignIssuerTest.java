package dev.ron.service.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.token.Refused;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
            ClientTls.publicRoots(),
            ClientOptions.defaults(),
            Meter.none());
    private final AtomicInteger status = new AtomicInteger(200);
    private final AtomicInteger documents = new AtomicInteger();
    private volatile byte[] keys = new byte[0];
    private HttpServer server;
    private ForeignIssuer issuer;

    @BeforeEach
    void publish() throws Exception {
        keys = JwkSet.write(
                        List.of(new TokenKey(Purpose.JWT, KeyStatus.ACTIVE, Signatures.publicKey(new byte[32]))), 1, 0)
                .getBytes(StandardCharsets.UTF_8);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/keys", exchange -> {
            try (exchange) {
                byte[] body = keys;
                exchange.sendResponseHeaders(status.get(), body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        issuer = new ForeignIssuer(
                new ForeignIssuer.Source(
                        JwtConfig.of("https://login.example", "svc-x"),
                        Optional.of(URI.create(here() + "/keys")),
                        Tenants.ALL),
                client,
                clock,
                meter);
    }

    private String here() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
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
            return stopping();
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

    /** An issuer that is asked where its keys are, and answers with this document. */
    private ForeignIssuer asked(AtomicReference<String> document) {
        server.createContext("/realm/.well-known/openid-configuration", exchange -> {
            try (exchange) {
                documents.incrementAndGet();
                String text = document.get();
                boolean moved = text.startsWith("http");
                if (moved) {
                    exchange.getResponseHeaders().set("Location", text);
                }
                exchange.sendResponseHeaders(moved ? 302 : 200, text.length());
                exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            }
        });
        return new ForeignIssuer(
                new ForeignIssuer.Source(JwtConfig.of(here() + "/realm", "svc-x"), Optional.empty(), Tenants.ALL),
                client,
                clock,
                meter);
    }

    private String document(String issuer, String jwks) {
        return "{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + jwks + "\",\"scopes_supported\":[\"openid\"]}";
    }

    // no address for the keys  ->  the issuer's own document says it; gone from there, it is asked again
    @Test
    void anIssuerSaysItselfWhereItsKeysAre() throws Exception {
        AtomicReference<String> said = new AtomicReference<>(document(here() + "/realm", here() + "/keys"));
        ForeignIssuer asked = asked(said);
        asked.run(new Seconds(2, second -> {}));
        assertThat(asked.published().keys()).hasSize(1);
        asked.run(new Seconds(601, second -> {}));
        assertThat(documents).as("what was found is kept").hasValue(1);
        status.set(404);
        asked.run(new Seconds(310, second -> {}));
        assertThat(documents).as("gone from there").hasValueGreaterThan(1);
        status.set(200);
        asked.run(new Seconds(310, second -> {}));
        int read = documents.get();
        asked.run(new Seconds(310, second -> {}));
        assertThat(documents).as("and found again").hasValue(read);
    }

    @Test
    void aDocumentOfAnotherIssuerOrWithAnUnsafePlaceIsNotBelieved() throws Exception {
        AtomicReference<String> said = new AtomicReference<>("");
        ForeignIssuer asked = asked(said);
        List<String> documents = List.of(
                document(here(), here() + "/keys"),
                document(here() + "/realm/", here() + "/keys"),
                document(here() + "/realm", "http://keys.example/keys"),
                document(here() + "/realm", "file:///etc/keys"),
                document(here() + "/realm", "not a place"),
                "{\"issuer\":\"" + here() + "/realm\"}",
                here() + "/keys", // a redirect
                "[]");
        for (String document : documents) {
            said.set(document);
            clock.advance(Duration.ofMinutes(6));
            asked.run(new Seconds(1, second -> {}));
            assertThat(asked.published().keys()).as(document).isEmpty();
        }
        assertThat(meter.count("auth_jwks_refresh_total", "result", "error")).isEqualTo(documents.size());
    }

    @Test
    void whoIsFarAwayDoesNotNameThisMachine() throws Exception {
        String keys = "http://127.0.0.1:8085/keys";
        assertThat(JwksPlace.address("http://127.0.0.1:1", keys)).hasToString(keys);
        assertThat(JwksPlace.address("https://login.example", "https://keys.example/k"))
                .hasToString("https://keys.example/k");
        assertThatThrownBy(() -> JwksPlace.address("https://login.example", keys))
                .isInstanceOf(Refused.class);
    }

    @Test
    void onlyAnIssuerWithASafeAddressIsAsked() {
        assertThat(JwksPlace.isSafe("https://login.example/realm")).isTrue();
        assertThat(JwksPlace.isSafe("http://127.0.0.1:1/realm")).isTrue();
        assertThat(List.of("http://login.example", "login.example", "urn:x", "https://x.example/?a=b", ""))
                .noneMatch(JwksPlace::isSafe);
    }

    @Test
    void keysComeOverTlsOrFromThisMachine() {
        assertThat(List.of("https://x.example/k", "http://127.0.0.1:1/k", "http://[::1]:1/k", "http://localhost/k"))
                .allMatch(url -> JwksPlace.isSafe(URI.create(url)));
        assertThat(List.of("http://x.example/k", "http://10.0.0.1/k", "ftp://127.0.0.1/k"))
                .noneMatch(url -> JwksPlace.isSafe(URI.create(url)));
    }

    @Test
    void whatNoClientCouldAskIsNoPlaceForKeys() {
        assertThat(List.of("https://x.example:84433/k", "https://u@x.example/k", "https://x.example/k#a", "https:x"))
                .noneMatch(url -> JwksPlace.isSafe(URI.create(url)));
        assertThat(JwksPlace.isSafe("https://x.example/#/realm")).isFalse();
    }

    // the issuer starts anew and publishes nothing for a while | its keys  ->  stay
    @Test
    void anEmptyAnswerTakesNoKeyAway() throws Exception {
        issuer.run(new Seconds(2, second -> {}));
        JwkSet known = issuer.published();
        keys = JwkSet.write(List.of(), 1, 0).getBytes(StandardCharsets.UTF_8);
        issuer.run(new Seconds(302, second -> {}));
        assertThat(meter.count("auth_jwks_refresh_total", "result", "error")).isPositive();
        assertThat(issuer.published()).isSameAs(known);
        assertThat(known.keys()).hasSize(1);
    }

    @Test
    void anAnswerTooLongForKeysIsNotReadToItsEnd() throws Exception {
        keys = new byte[JwkSet.MAX_BYTES + 1];
        issuer.run(new Seconds(2, second -> {}));
        assertThat(issuer.published().keys()).isEmpty();
        assertThat(meter.count("auth_jwks_refresh_total", "result", "error")).isPositive();
    }

    @Test
    void equalKeysAreTheSameObject() throws Exception {
        issuer.run(new Seconds(2, second -> {}));
        JwkSet known = issuer.published();
        issuer.run(new Seconds(302, second -> {}));
        assertThat(fetched()).isEqualTo(2);
        assertThat(issuer.published()).isSameAs(known);
    }
}
