package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.kms.KmsKey;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Purpose;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DrainTest {
    private final AtomicBoolean slow = new AtomicBoolean();
    private final AtomicInteger signing = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);

    // orders in hand | shutdown  ->  each gets its token; the listener takes no new ones and readiness is gone
    @Test
    void whatWasOrderedIsFinishedAndWhatComesLaterIsRefused() throws Exception {
        SigningEngine good = SigningEngine.local(Signatures.portable());
        try (OfficeProcess office = OfficeProcess.with((key, message) -> {
                    if (slow.get() && key.purpose() == Purpose.PCT) {
                        signing.incrementAndGet();
                        release.await();
                    }
                    return good.sign(key, message);
                });
                Crew crew = new Crew()) {
            office.issue();
            slow.set(true);
            AtomicInteger issued = new AtomicInteger();
            int orders = 6;
            for (int i = 0; i < orders; i++) {
                crew.addVirtual(() -> {
                    Answer answer = office.tryIssue();
                    if (answer.status() == 200) {
                        issued.incrementAndGet();
                    }
                });
            }
            crew.go();
            Eventually.await(
                    "orders in hand",
                    () -> signing.get() >= 1 && office.service().inflight() == orders);
            office.frame().shutdown().request("test", "drain");
            Eventually.await(
                    "readiness is gone", () -> !office.frame().ready("passport").ready());
            release.countDown();
            crew.finish();
            assertThat(issued.get()).isEqualTo(orders);
        }
    }

    @Test
    void keysAreWipedWhenTheOfficeStops() throws Exception {
        SigningEngine good = SigningEngine.local(Signatures.portable());
        AtomicReference<KmsKey> used = new AtomicReference<>();
        try (OfficeProcess office = OfficeProcess.with((key, message) -> {
            used.set(key);
            return good.sign(key, message);
        })) {
            office.issue();
            assertThat(used.get().secret().matches(new byte[32])).isFalse();
        }
        assertThat(used.get().secret().matches(new byte[32])).isTrue();
    }
}
