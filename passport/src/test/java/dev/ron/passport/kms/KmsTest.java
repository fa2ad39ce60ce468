package dev.ron.passport.kms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deadline and breaker of signing, in virtual time. */
class KmsTest {
    private static final LaneSpec LANE = Topology.lane("kms", 1, 64);
    private static final byte[] MESSAGE = {1, 2, 3};

    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final Kernel kernel =
            new Kernel(Topology.of("test", "a lane", LANE), clock, meter, Backoff.Policy.DEFAULT, crash -> {});
    private final Shutdown shutdown = new Shutdown(Clock.system(), meter, () -> Duration.ofSeconds(5));
    private final CountDownLatch release = new CountDownLatch(1);
    private final KmsKey key = KmsKey.generate(Purpose.PCT, KeyStatus.ACTIVE, 0, 0, new SecureRandom());

    private Kms kms(SigningEngine engine) {
        kernel.attach(shutdown);
        return new Kms(
                "kms", engine, kernel.lane(LANE), () -> Duration.ofSeconds(3), Duration.ofMillis(100), clock, meter);
    }

    @AfterEach
    void stop() {
        release.countDown();
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
    }

    // a signature never comes | 3 s pass  ->  504 kms_timeout then and not before, tried once
    @Test
    void aStalledSignatureEndsAfterThreeSecondsAndIsNotTriedAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Kms kms = kms((k, message) -> {
            tries.incrementAndGet();
            release.await();
            return message;
        });
        AtomicReference<String> failure = new AtomicReference<>("");
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                kms.sign(key, MESSAGE);
            } catch (RonException e) {
                failure.set(e.code() + " " + e.reason());
            }
        });
        Eventually.await("the engine hangs and the caller waits", () -> tries.get() == 1 && clock.sleeping() >= 1);
        clock.advance(Duration.ofMillis(2_999));
        assertThat(failure.get()).isEmpty();
        assertThat(caller.isAlive()).isTrue();
        clock.advance(Duration.ofMillis(1));
        caller.join();
        assertThat(failure.get()).isEqualTo(Code.TIMEOUT + " kms_timeout");
        assertThat(tries.get()).isEqualTo(1);
    }

    @Test
    void tenFailuresOpenTheBreakerAndProbesCloseIt() {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean(true);
        Kms kms = kms((k, message) -> {
            calls.incrementAndGet();
            if (broken.get()) {
                throw new IOException("no");
            }
            return message;
        });
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> kms.sign(key, MESSAGE))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.reason()).isEqualTo("kms_unavailable"));
        }
        assertThat(kms.circuit()).isEqualTo(2);
        assertThatThrownBy(() -> kms.sign(key, MESSAGE))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.CIRCUIT_OPEN));
        assertThat(calls.get()).as("an open breaker calls nobody").isEqualTo(10);
        broken.set(false);
        clock.advance(Duration.ofMillis(2_001));
        for (int i = 0; i < 3; i++) {
            assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
        }
        assertThat(kms.circuit()).isZero();
    }

    /** Every so many calls one takes 150 ms, over the 100 ms of the SLO; the others take none. */
    private Kms oneSlowIn(int many) {
        AtomicInteger calls = new AtomicInteger();
        return kms((k, message) -> {
            if (calls.incrementAndGet() % many == 0) {
                clock.advance(Duration.ofMillis(150));
            }
            return message;
        });
    }

    @Test
    void aP95AboveTheSloOpensTheBreakerAlthoughNothingFails() {
        Kms kms = oneSlowIn(10);
        for (int i = 0; i < 200; i++) {
            assertThat(kms.circuit())
                    .as("a hiccup of %d calls is not a slow minute", i)
                    .isZero();
            assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
        }
        assertThat(kms.circuit()).isEqualTo(2);
        assertThatThrownBy(() -> kms.sign(key, MESSAGE))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.CIRCUIT_OPEN));
    }

    // every signature takes 2 s, so that a minute has thirty of them a worker  ->  twenty are enough
    @Test
    void aKeyServiceTooSlowForManyCallsOpensTheBreakerWithFew() {
        Kms kms = kms((k, message) -> {
            clock.advance(Duration.ofSeconds(2));
            return message;
        });
        for (int i = 0; i < 20; i++) {
            assertThat(kms.circuit()).as("after %d calls", i).isZero();
            assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
        }
        assertThat(kms.circuit()).isEqualTo(2);
    }

    @Test
    void aP95WithinTheSloLeavesItClosed() {
        Kms kms = oneSlowIn(25);
        for (int i = 0; i < 400; i++) {
            assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
        }
        assertThat(kms.circuit()).isZero();
    }

    // callers that wait 10 ms for what takes longer  ->  they are late, the key service is not at fault
    @Test
    void aCallersOwnDeadlineIsNoFailureOfTheKeyService() throws Exception {
        AtomicReference<CountDownLatch> until = new AtomicReference<>(new CountDownLatch(1));
        AtomicInteger tries = new AtomicInteger();
        Kms kms = kms((k, message) -> {
            CountDownLatch held = until.get();
            tries.incrementAndGet();
            held.await();
            return message;
        });
        for (int i = 0; i < 30; i++) {
            CountDownLatch stalls = new CountDownLatch(1);
            until.set(stalls);
            AtomicReference<String> failure = new AtomicReference<>("");
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    CallContext.of(Deadline.after(clock, Duration.ofMillis(10)), "test")
                            .run(() -> kms.sign(key, MESSAGE));
                } catch (RonException e) {
                    failure.set(e.code() + " " + e.reason());
                }
            });
            int number = i + 1;
            Eventually.await("the caller waits", () -> tries.get() == number && clock.sleeping() >= 1);
            clock.advance(Duration.ofMillis(10));
            caller.join();
            stalls.countDown();
            assertThat(failure.get()).startsWith(Code.TIMEOUT.toString()).doesNotContain("kms_timeout");
        }
        assertThat(kms.circuit()).isZero();
        assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
    }

    // the breaker of failures is open | hundreds are refused  ->  that is no failure to the breaker of slowness
    @Test
    void aRefusalOfOneBreakerIsNoFailureToTheOther() {
        AtomicBoolean broken = new AtomicBoolean(true);
        Kms kms = kms((k, message) -> {
            if (broken.get()) {
                throw new IOException("no");
            }
            return message;
        });
        for (int i = 0; i < 400; i++) {
            assertThatThrownBy(() -> kms.sign(key, MESSAGE)).isInstanceOf(RonException.class);
        }
        broken.set(false);
        clock.advance(Duration.ofMillis(2_001));
        for (int i = 0; i < 3; i++) {
            assertThat(kms.sign(key, MESSAGE)).isEqualTo(MESSAGE);
        }
        assertThat(kms.circuit()).isZero();
        assertThat(meter.count("circuit_open_total", "endpoint", "kms-slow")).isZero();
        assertThat(meter.count("circuit_open_total", "endpoint", "kms-very-slow"))
                .isZero();
    }
}
