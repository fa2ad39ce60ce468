package dev.ron.passport.issue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.policy.CaveatBounds;
import dev.ron.passport.policy.Policy;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.passport.policy.PolicyReader;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.verify.PqMode;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An exhaustive small model: every order of seven events, with the real desk and the real readers.
 *
 * <p>The ring holds only two events, so that every way of falling behind is among the orders.
 */
class NoMintWithoutPolicyTest {
    private static final int DEPTH = 7;
    private static final LaneSpec LANE = Topology.lane("kms", 1, 1);
    private static final Order ORDER = new Order(
            new Client("c", "p", "h", List.of("t"), Set.of(Right.ISSUE), List.of(), 0),
            "ann",
            List.of("svc-demo"),
            OptionalLong.empty(),
            "t",
            List.of(),
            List.of(),
            Long.MAX_VALUE,
            false,
            true,
            Order.Format.PCT,
            true,
            Optional.empty(),
            Optional.empty());
    private static final VirtualClock CLOCK = new VirtualClock();
    private static final Shutdown SHUTDOWN = new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(5));
    private static Minter minter;

    /** The minter reads the keys it would sign with: nothing is between it and a token any more. */
    private static final class Signs extends RuntimeException {
        private static final long serialVersionUID = 1;

        Signs() {
            super("signs", null, false, false);
        }
    }

    @BeforeAll
    static void quiet() {
        Logs.install(LogFormat.JSON, "error", OutputStream.nullOutputStream());
        Kernel kernel =
                new Kernel(Topology.of("test", "a lane", LANE), CLOCK, Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
        kernel.attach(SHUTDOWN);
        Kms kms = new Kms(
                "kms",
                (_, message) -> message,
                kernel.lane(LANE),
                () -> Duration.ofSeconds(3),
                Duration.ofMillis(100),
                CLOCK,
                Meter.none());
        Signs signs = new Signs();
        minter = new Minter(
                () -> {
                    throw signs;
                },
                kms,
                () -> JwtAlg.EDDSA,
                CLOCK,
                new SecureRandom());
    }

    @AfterAll
    static void stop() {
        SHUTDOWN.request("test", "done");
        SHUTDOWN.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
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
        long now = second();
        long version;
        int minted;

        void happens(Event event, Function<Optional<Policy>, Optional<Policy>> gate) {
            switch (event) {
                case POLICY_COMES -> publish(Optional.of(policy(false)));
                case POLICY_GOES -> publish(Optional.empty());
                case POLICY_FROZEN -> publish(Optional.of(policy(true)));
                case TIME_PASSES -> {
                    CLOCK.advance(Duration.ofSeconds(10));
                    now = second();
                }
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
                    List.of("svc-demo"),
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
    }

    private static long second() {
        return CLOCK.now().getEpochSecond();
    }

    /** The minter itself, up to the signature. */
    private static Optional<Policy> realGate(Optional<Policy> found) {
        try {
            minter.mint(ORDER, found);
            throw new AssertionError("it signs without its keys");
        } catch (Signs _) {
            return found;
        } catch (RonException refused) {
            assertThat(refused.reason()).isIn("policy_missing", "policy_stale", "frozen");
            return Optional.empty();
        }
    }

    @Test
    void everyOrderOfEventsMintsOnlyUnderThePolicyInForce() {
        int[] tally = new int[2];
        explore(new ArrayList<>(), tally, _ -> NoMintWithoutPolicyTest::realGate);
        assertThat(tally[0]).as("orders tried").isGreaterThan(200_000);
        assertThat(tally[1]).as("some of them mint").isGreaterThan(10_000);
    }

    @Test
    void theModelCatchesAGateThatForgetsFreshness() {
        boolean caught = false;
        try {
            explore(new ArrayList<>(), new int[2], _ -> found -> found.filter(policy -> !policy.frozen()));
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
