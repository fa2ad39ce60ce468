package dev.ron.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.topology.Topology;
import org.junit.jupiter.api.Test;

/** Without the leak check: what is forgotten here is forgotten on purpose. */
class CloseWatchTest {

    @Test
    void aForgottenCloseIsReported() {
        long before = CloseWatch.forgotten();
        forget();
        Eventually.await("it is reported", () -> {
            System.gc();
            return CloseWatch.forgotten() == before + 1;
        });
    }

    private static void forget() {
        Broadcast<String> ring = new Broadcast<>(Topology.broadcast("events", 2));
        assertThat(ring.subscribe("forgetful").lag()).isZero();
    }

    @Test
    void aCloseIsReportedOnceAndThenNothingIsForgotten() {
        long before = CloseWatch.forgotten();
        Object owner = new Object();
        CloseWatch.Handle handle = CloseWatch.watch(owner, "a thing");
        assertThat(handle.closed()).isTrue();
        assertThat(handle.closed()).isFalse();
        System.gc();
        assertThat(CloseWatch.forgotten()).isEqualTo(before);
        assertThat(owner).as("reachable until here").isNotNull();
    }
}
