package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.api.PassportApi;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.Command;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits at the feed takes a place; nobody takes those of all others. */
class FeedReadersTest {
    private static final String FEED = "/v1/passport/revocations?since=0";

    private OfficeProcess office;

    @BeforeEach
    void open() throws Exception {
        office = OfficeProcess.inMemory("passport.max_conns=2000");
    }

    @AfterEach
    void close() {
        office.close();
    }

    private String clientOf(String name) {
        ApiKey key = ApiKey.random(new SecureRandom());
        office.carryOut(new Command.KeepClient(
                new Client(name, key.prefix(), key.hash(), List.of(name), Set.of(Right.VERIFY), List.of(), 0)));
        return "Bearer " + key.reveal();
    }

    /** Has these wait until something is revoked; those over the share are refused before the body runs. */
    private void whileTheyWait(List<String> waiting, int each, int refusals, Runnable body) throws Exception {
        AtomicInteger refused = new AtomicInteger();
        try (Crew crew = new Crew()) {
            for (String auth : waiting) {
                for (int i = 0; i < each; i++) {
                    crew.addVirtual(() -> {
                        if (office.get(FEED + "&wait=25", "Authorization", auth).status() == 429) {
                            refused.incrementAndGet();
                        }
                    });
                }
            }
            crew.go();
            Eventually.await("the refusals", () -> refused.get() == refusals);
            Eventually.await("the others to wait", () -> areTaken(waiting.size() * each - refusals));
            body.run();
            office.post("/v1/passport/revoke", "{\"jti\":\"anything\"}");
            crew.finish();
        }
    }

    private boolean areTaken(int places) {
        return new String(office.frame().metrics().scrape("").body(), StandardCharsets.UTF_8)
                .lines()
                .anyMatch(line -> line.contains("bound=\"feed-readers\"") && line.endsWith(" " + places + ".0"));
    }

    // one client waits wherever it may  ->  it has three quarters of the places | another one asks  ->  it is answered
    @Test
    void aClientCannotTakeThePlacesOfAnother() throws Exception {
        String other = clientOf("other");
        whileTheyWait(
                List.of(clientOf("greedy")),
                256,
                64,
                () -> assertThat(office.get(FEED, "Authorization", other).status())
                        .isEqualTo(200));
    }

    // clients hold every place of the public listener | a service of the same process asks  ->  it is answered
    @Test
    void whoReadsOnTheOpsPlaneHasPlacesOfItsOwn() throws Exception {
        try (TestHost ops = TestHost.with(routes -> PassportApi.addForVerifiers(routes, office.service()::api))) {
            List<String> many = List.of(clientOf("a"), clientOf("b"), clientOf("c"), clientOf("d"));
            String own = "Bearer " + office.service().ownKey().reveal();
            whileTheyWait(many, 64, 0, () -> {
                assertThat(office.get(FEED, "Authorization", own).status()).isEqualTo(429);
                assertThat(office.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ops.port() + FEED))
                                        .header("Authorization", own)
                                        .build())
                                .status())
                        .isEqualTo(200);
            });
        }
    }
}
