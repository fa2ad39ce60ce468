package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Purpose;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What happens when something behind the office does not work. */
class FaultsTest {
    private static final SigningEngine GOOD = SigningEngine.local(Signatures.portable());

    private final AtomicBoolean stalled = new AtomicBoolean();
    private final CountDownLatch release = new CountDownLatch(1);

    /** Signs, but hangs on tokens while stalled; the feed is signed elsewhere. */
    private byte[] sign(dev.ron.passport.kms.KmsKey key, byte[] message) throws Exception {
        if (stalled.get() && key.purpose() == Purpose.PCT) {
            release.await();
        }
        return GOOD.sign(key, message);
    }

    @Test
    void aStalledKeyServiceIsA504ThenAnOpenBreakerAndVerificationGoesOn() throws Exception {
        try (OfficeProcess office = OfficeProcess.with(this::sign)) {
            String token = office.issue();
            office.reload("passport.kms.timeout=100ms"); // not before: the first signature may take that long by itself
            stalled.set(true);
            Answer first = office.tryIssue();
            assertThat(first.status()).isEqualTo(504);
            assertThat(first.reason()).isEqualTo("kms_timeout");
            AtomicReference<Answer> last = new AtomicReference<>(first);
            Eventually.await("the breaker opens", () -> {
                last.set(office.tryIssue());
                return last.get().reason().equals("circuit_open");
            });
            assertThat(last.get().status()).isEqualTo(503);
            assertThat(last.get().raw().headers().firstValue("retry-after")).isPresent();
            assertThat(office.get("/readyz/write").status()).isEqualTo(503);
            assertThat(office.get("/readyz").status()).isEqualTo(200);
            assertThat(office.verify(token).body().path("ok").asBoolean()).isTrue();
            assertThat(office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(office.verify(token).reason()).isEqualTo("revoked");
            assertThat(metrics(office)).contains("io_timeouts_total{op=\"kms\"", "circuit_state{endpoint=\"kms\"");

            stalled.set(false);
            release.countDown();
            Eventually.await("it recovers by itself", () -> office.tryIssue().status() == 200);
        }
    }

    // as many orders as may ever wait for a signature do | verify, introspect, revoke, keys  ->  answered all the same
    @Test
    void aStalledKeyServiceLeavesRoomForAllThatNeedsNoSignature() throws Exception {
        try (OfficeProcess office =
                        OfficeProcess.with(this::sign, "passport.kms.timeout=30s", "passport.max_conns=2000");
                Crew crew = new Crew()) {
            String token = office.issue();
            stalled.set(true);
            AtomicInteger refused = new AtomicInteger();
            int callers = 512;
            for (int i = 0; i < callers; i++) {
                crew.addVirtual(() -> {
                    if (office.tryIssue().status() == 429) {
                        refused.incrementAndGet();
                    }
                });
            }
            crew.go();
            Eventually.await("all to wait or be refused", () -> office.service().inflight() + refused.get() == callers);
            String shown = "{\"token\":\"" + token + "\"}";
            assertThat(office.verify(token).body().path("ok").asBoolean()).isTrue();
            assertThat(office.post("/v1/passport/introspect", shown).status()).isEqualTo(200);
            assertThat(office.get("/v1/keys").status()).isEqualTo(200);
            assertThat(office.post("/v1/passport/revoke", shown).status()).isEqualTo(200);
            release.countDown();
            crew.finish();
            assertThat(refused.get()).isEqualTo(callers / 4);
        }
    }

    // issue(512) full | one more order  ->  429 at once, and everything queued is still answered
    @Test
    void aFullQueueIsA429WithRetryAfter() throws Exception {
        try (OfficeProcess office = OfficeProcess.with(
                        this::sign,
                        "passport.limits.inflight=2000",
                        "passport.kms.timeout=30s",
                        "passport.max_conns=2000");
                Crew crew = new Crew()) {
            office.issue();
            stalled.set(true);
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger busy = new AtomicInteger();
            AtomicReference<Answer> refusal = new AtomicReference<>();
            int callers = 560;
            for (int i = 0; i < callers; i++) {
                crew.addVirtual(() -> {
                    Answer answer = office.tryIssue();
                    if (answer.status() == 429) {
                        refusal.set(answer);
                        busy.incrementAndGet();
                    }
                    answered.incrementAndGet();
                });
            }
            crew.go();
            Eventually.await("a refusal", () -> busy.get() > 0);
            release.countDown();
            crew.finish();
            assertThat(answered.get()).isEqualTo(callers);
            assertThat(refusal.get().reason()).isEqualTo("busy");
            assertThat(refusal.get().raw().headers().firstValue("retry-after")).isPresent();
            assertThat(metrics(office))
                    .contains(
                            "queue_dropped_total{queue=\"issue\"",
                            "busy_rejections_total{endpoint=\"/v1/passport/issue\"");
        }
    }

    // a revoke queue that is full | one more  ->  429 at once, counted; what was accepted is answered
    @Test
    void aFullRevokeQueueIsA429AndCounted() throws Exception {
        CountDownLatch journal = new CountDownLatch(1);
        try (OfficeProcess office =
                        OfficeProcess.with(this::sign, "passport.limits.inflight=2000", "passport.max_conns=2000");
                Crew crew = new Crew()) {
            office.whileWriterIsHeld(journal, () -> {
                AtomicInteger answered = new AtomicInteger();
                AtomicReference<Answer> refusal = new AtomicReference<>();
                int callers = 300;
                for (int i = 0; i < callers; i++) {
                    int number = i;
                    crew.addVirtual(() -> {
                        Answer answer = office.post("/v1/passport/revoke", "{\"jti\":\"x" + number + "\"}");
                        if (answer.status() == 429) {
                            refusal.set(answer);
                        }
                        answered.incrementAndGet();
                    });
                }
                crew.go();
                Eventually.await("a refusal", () -> refusal.get() != null);
                journal.countDown();
                crew.finish();
                assertThat(answered.get()).isEqualTo(callers);
                assertThat(refusal.get().reason()).isEqualTo("busy");
                assertThat(metrics(office)).containsPattern("queue_dropped_total\\{queue=\"revoke\"[^}]*\\} [1-9]");
            });
        }
    }

    @Test
    void limitsOnRateAndOnRequestsInFlightShedAtTheDoor() throws Exception {
        try (OfficeProcess office =
                        OfficeProcess.with(this::sign, "passport.limits.rps=2", "passport.kms.timeout=30s");
                Crew crew = new Crew()) {
            AtomicReference<Answer> paced = new AtomicReference<>();
            Eventually.await("the rate's end", () -> {
                paced.set(office.tryIssue());
                return paced.get().status() == 429;
            });
            assertThat(paced.get().reason()).isEqualTo("rate_limit");
            assertThat(paced.get().body().path("detail").asString()).contains("passport.limits.rps");
            assertThat(paced.get().raw().headers().firstValue("retry-after")).isPresent();

            office.reload("passport.limits.rps=0");
            office.reload("passport.limits.inflight=32");
            Eventually.await("no rate", () -> office.tryIssue().status() == 200);
            stalled.set(true);
            AtomicReference<Answer> shed = new AtomicReference<>();
            AtomicInteger held = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            for (int i = 0; i < 40; i++) {
                crew.addVirtual(() -> {
                    Answer answer = office.tryIssue();
                    if (answer.status() == 429) {
                        shed.set(answer);
                        refused.incrementAndGet();
                    } else {
                        held.incrementAndGet();
                    }
                });
            }
            crew.go();
            // Whoever comes after the release finds room: all have to be in or refused before it.
            Eventually.await("the refusals", () -> refused.get() >= 8);
            release.countDown();
            crew.finish();
            assertThat(shed.get().body().path("detail").asString()).contains("in flight");
            assertThat(held.get()).isLessThanOrEqualTo(32);
        }
    }

    // a worker fails on an order | more orders  ->  that order is answered 500, once; the worker starts
    // again and serves
    @Test
    void aKilledIssuanceWorkerAnswersItsOrderAndStartsAgain() throws Exception {
        try (OfficeProcess office = OfficeProcess.with(GOOD)) {
            for (int round = 0; round < 3; round++) {
                office.breakOneIssuanceWorker();
                assertThat(office.tryIssue().status()).isEqualTo(500);
                assertThat(office.tryIssue().status()).isEqualTo(200);
            }
            Eventually.await(
                    "the restarts",
                    () -> metrics(office)
                            .lines()
                            .anyMatch(line -> line.startsWith("service_restarts_total")
                                    && line.contains("issuance")
                                    && line.endsWith(" 3.0")));
        }
    }

    // rotation | issue and verify under load  ->  no valid token is refused at any moment
    @Test
    void rotationUnderLoadRefusesNoValidToken() throws Exception {
        // A machine that is busy with other things is no slow key service.
        try (OfficeProcess office = OfficeProcess.with(GOOD, "passport.kms.slo=30s", "passport.kms.timeout=30s");
                Crew crew = new Crew()) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger checked = new AtomicInteger();
            AtomicReference<String> refused = new AtomicReference<>("");
            for (int i = 0; i < 4; i++) {
                crew.addVirtual(() -> {
                    while (!done.get()) {
                        String token = office.issue();
                        Answer answer = office.verify(token);
                        if (!answer.body().path("ok").asBoolean(false)) {
                            refused.set(answer.body().toString());
                        }
                        checked.incrementAndGet();
                    }
                });
            }
            crew.go();
            Set<String> signers = new HashSet<>();
            for (int round = 0; round < 3; round++) {
                office.rotate("pct", false);
                await(checked, 20);
                signers.add(office.tryIssue().body().path("kid").asString());
                office.timePasses(Duration.ofSeconds(601));
                office.post(
                        "/v1/passport/revoke",
                        "{\"jti\":\"anything\"}"); // wakes the writer, which looks at the calendar
                await(checked, 20);
            }
            signers.add(office.tryIssue().body().path("kid").asString());
            assertThat(signers).as("keys that signed meanwhile").hasSize(4);
            done.set(true);
            crew.finish();
            assertThat(refused.get()).isEmpty();
        }
    }

    private static void await(AtomicInteger checked, int more) {
        int before = checked.get();
        Eventually.await("load goes on", () -> checked.get() > before + more);
    }

    @Test
    void withARegistryThatCannotBeReachedNothingIsIssuedAndVerificationGoesOn() throws Exception {
        try (OfficeProcess office = OfficeProcess.with(
                GOOD,
                "passport.registry.endpoint=http://127.0.0.1:1",
                "passport.registry.genesis=b3:" + "0".repeat(64))) {
            Answer none = office.tryIssue();
            assertThat(none.status()).isEqualTo(503);
            assertThat(none.reason()).isEqualTo("policy_missing");
            assertThat(office.get("/readyz").status()).isEqualTo(200);
            assertThat(office.get("/readyz/write").status()).isEqualTo(503);
            assertThat(office.verify("nonsense").reason()).isEqualTo("malformed");
        }
    }

    private static String metrics(OfficeProcess office) {
        return new String(office.frame().metrics().scrape("").body(), java.nio.charset.StandardCharsets.UTF_8);
    }
}
