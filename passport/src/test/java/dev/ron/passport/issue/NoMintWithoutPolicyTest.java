package dev.ron.passport.issue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.policy.CaveatBounds;
import dev.ron.passport.policy.Policy;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.passport.policy.PolicyReader;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.token.verify.PqMode;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An exhaustive small model: every order of seven events, with the real desk and the real readers.
 *
 * <p>The ring holds only two events, so that every way of falling behind is among the orders.
 */
class NoMintWithoutPolicyTest {
    private static final int DEPTH = 7;

    @BeforeAll
    static void quiet() {
        Logs.install(LogFormat.JSON, "error", OutputStream.nullOutputStream());
    }

    /** What can happen. */
    private enum Event {
        POLICY_COMES,
        POLICY_GOES,
        POLICY_FROZEN,
        TIME_PASSES,
        FIRST_WORKER_MINTS,
        SECOND_WORKER_MINTS
    }

    /** What the world really is, beside the parts under test. */
    private static final class World implements AutoCloseable {
        final PolicyDesk desk = new PolicyDesk(new Broadcast<>(Topology.broadcast("policy", 2)));
        final PolicyReader first = new PolicyReader(desk, "first");
        final PolicyReader second = new PolicyReader(desk, "second");
        Optional<Policy> truth = Optional.empty();
        long now = 100;
        long version;
        int minted;

        void happens(Event event, Function<Optional<Policy>, Optional<Policy>> gate) {
            switch (event) {
                case POLICY_COMES -> publish(Optional.of(policy(false)));
                case POLICY_GOES -> publish(Optional.empty());
                case POLICY_FROZEN -> publish(Optional.of(policy(true)));
                case TIME_PASSES -> now += 10;
                case FIRST_WORKER_MINTS -> mint(first, gate);
                case SECOND_WORKER_MINTS -> mint(second, gate);
            }
        }

        private Policy policy(boolean frozen) {
            version++;
            return new Policy(
                    version,
                    60,
                    60,
                    List.of(),
                    List.of(),
                    CaveatBounds.NONE,
                    PqMode.OFF,
                    frozen,
                    now + 15,
                    Optional.empty());
        }

        private void publish(Optional<Policy> policy) {
            truth = policy;
            desk.publish(policy);
        }

        private void mint(PolicyReader reader, Function<Optional<Policy>, Optional<Policy>> gate) {
            Optional<Policy> used = gate.apply(reader.next());
            if (used.isPresent()) {
                minted++;
                assertThat(used).as("the policy in force").isEqualTo(truth);
                assertThat(used.get().frozen()).isFalse();
                assertThat(used.get().freshUntil()).isGreaterThanOrEqualTo(now);
            }
        }

        @Override
        public void close() {
            first.close();
            second.close();
        }

        /** What {@link Minter} does first. */
        Optional<Policy> realGate(Optional<Policy> found) {
            try {
                Policy policy = found.orElseThrow(Policy::missing);
                policy.requireInForce(now);
                return found;
            } catch (dev.ron.kernel.error.RonException refused) {
                return Optional.empty();
            }
        }
    }

    @Test
    void everyOrderOfEventsMintsOnlyUnderThePolicyInForce() {
        int[] tally = new int[2];
        explore(new ArrayList<>(), tally, world -> world::realGate);
        assertThat(tally[0]).as("orders tried").isGreaterThan(200_000);
        assertThat(tally[1]).as("some of them mint").isGreaterThan(10_000);
    }

    @Test
    void theModelCatchesAGateThatForgetsFreshness() {
        boolean caught = false;
        try {
            explore(new ArrayList<>(), new int[2], world -> found -> found.filter(policy -> !policy.frozen()));
        } catch (AssertionError expected) {
            caught = true;
        }
        assertThat(caught).isTrue();
    }

    private static void explore(
            List<Event> path, int[] tally, Function<World, Function<Optional<Policy>, Optional<Policy>>> gate) {
        if (path.size() == DEPTH) {
            tally[0]++;
            try (World world = new World()) {
                path.forEach(event -> world.happens(event, gate.apply(world)));
                tally[1] += world.minted > 0 ? 1 : 0;
            }
            return;
        }
        for (Event event : Event.values()) {
            path.add(event);
            explore(path, tally, gate);
            path.removeLast();
        }
    }
}
