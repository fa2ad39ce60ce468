package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.Keystore;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.kms.KmsKey;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.service.bus.Bus;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Purpose;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All who ask for the whole set in one second share one document, and nothing else. */
@Timeout(60)
class FeedTest {
    private static final LaneSpec LANE = Topology.lane("sign-feed", 1, 8);
    private static final SigningEngine GOOD = SigningEngine.local(Signatures.portable());
    private static final long ALL = Long.MAX_VALUE;

    private final Clock clock = new OneSecond();
    private final Shutdown shutdown = new Shutdown(clock, Meter.none(), () -> Duration.ofSeconds(10));
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger signed = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private Feed feed;

    /** Time passes, but never the second. */
    private static final class OneSecond extends MovableClock {
        private final Instant now = Clock.system().now();

        @Override
        public Instant now() {
            return now;
        }
    }

    private byte[] sign(KmsKey key, byte[] message) throws Exception {
        signed.incrementAndGet();
        release.await();
        if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IllegalStateException("no signature");
        }
        return GOOD.sign(key, message);
    }

    @BeforeEach
    void start() throws Exception {
        Registrar registrar = new Registrar(
                "urn:test",
                Keystore.memory(),
                Journal.none(),
                clock,
                new SecureRandom(),
                () -> KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30),
                () -> List.of(Purpose.FEED),
                Watch.of(0L),
                new Bus(new Broadcast<>(Bus.SPEC, Meter.none()), Meter.none()));
        Kernel kernel = new Kernel(
                Topology.of("test", "an office", LANE), clock, Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
        kernel.attach(shutdown);
        Kms kms = new Kms(
                "kms-feed",
                this::sign,
                kernel.lane(LANE),
                () -> Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                clock,
                Meter.none());
        feed = new Feed(registrar, kms, clock);
    }

    @AfterEach
    void stop() {
        release.countDown();
        shutdown.request("test", "over");
        shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30)));
    }

    private byte[] read(Deadline deadline) {
        AtomicReference<byte[]> document = new AtomicReference<>();
        CallContext.of(deadline, "test").run(() -> document.set(feed.document(ALL)));
        return document.get();
    }

    private Deadline patient() {
        return Deadline.after(clock, Duration.ofSeconds(30));
    }

    // one writes it | one has no time and leaves | one waits  ->  the first and the last have the document
    @Test
    void aReaderThatLeavesTakesTheDocumentFromNobody() {
        AtomicInteger got = new AtomicInteger();
        try (Crew crew = new Crew()) {
            crew.addVirtual(() -> got.addAndGet(read(patient()).length > 0 ? 1 : 0));
            crew.go();
            Eventually.await("the signature", () -> signed.get() == 1);
            assertThatThrownBy(() -> read(Deadline.after(clock, Duration.ZERO)))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT));
            try (Crew late = new Crew()) {
                late.addVirtual(() -> got.addAndGet(read(patient()).length > 0 ? 1 : 0));
                late.go();
                release.countDown();
                late.finish();
            }
            crew.finish();
        }
        assertThat(got).hasValue(2);
        assertThat(signed).hasValue(1);
    }

    // who comes first has no time  ->  it is written all the same, and there for who comes next
    @Test
    void aFirstReaderInAHurryWritesItForTheOthers() {
        release.countDown();
        assertThat(read(Deadline.after(clock, Duration.ZERO))).isNotEmpty();
        assertThat(read(patient())).isNotEmpty();
        assertThat(signed).hasValue(1);
    }

    // one writes it, one waits | the signature fails  ->  who waited writes it itself
    @Test
    void whoWaitedForADocumentThatFailsWritesIt() {
        failures.set(1);
        VirtualClock waiting = new VirtualClock();
        AtomicInteger got = new AtomicInteger();
        try (Crew crew = new Crew();
                Crew second = new Crew()) {
            crew.addVirtual(() -> assertThatThrownBy(() -> read(patient())).isInstanceOf(RonException.class));
            crew.go();
            Eventually.await("the signature", () -> signed.get() == 1);
            second.addVirtual(() -> got.addAndGet(read(Deadline.never(waiting)).length > 0 ? 1 : 0));
            second.go();
            Eventually.await("the second to wait", () -> waiting.parked() == 1);
            release.countDown();
            crew.finish();
            second.finish();
        }
        assertThat(got).hasValue(1);
        assertThat(signed).hasValue(2);
    }
}
