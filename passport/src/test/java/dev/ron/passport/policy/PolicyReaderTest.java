package dev.ron.passport.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.topology.Topology;
import dev.ron.token.verify.PqMode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyReaderTest {
    private final PolicyDesk desk = new PolicyDesk(new Broadcast<>(Topology.broadcast("policy", 4), Meter.none()));

    static Policy policy(long version) {
        return new Policy(
                version,
                60,
                60,
                List.of("svc-demo"),
                List.of(),
                CaveatBounds.NONE,
                PqMode.HYBRID,
                false,
                Policy.NEVER_STALE,
                Optional.empty());
    }

    private static long version(PolicyReader reader) {
        return reader.next().map(Policy::version).orElse(0L);
    }

    // 100 updates in a ring of 4 | one reader that slept  ->  it has missed news, never the policy in force
    @Test
    void whoMissedUpdatesReadsTheOneInForce() {
        try (PolicyReader slow = new PolicyReader(desk, "slow")) {
            assertThat(version(slow)).isZero();
            for (long version = 1; version <= 100; version++) {
                desk.publish(Optional.of(policy(version)));
            }
            assertThat(version(slow)).isEqualTo(100);
            desk.publish(Optional.empty());
            assertThat(version(slow)).as("a policy taken out of force is gone").isZero();
        }
    }
}
