package dev.ron.gateway.arbiter.drr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How slot time is shared in the long run, in virtual time. */
class DrrFairnessTest {
    private static final long SECOND = 1_000_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 16, 64})
    void backloggedQuantaOneTwoFourGetTheirSlotTimeWithinTwoPercent(int limit) {
        Random random = new Random(42);
        LongSupplier any = () -> 1 + random.nextInt(20_000);
        LongSupplier sometimesLong = () -> random.nextInt(10) == 0 ? 300_000 : 2_000;
        List<List<LongSupplier>> kinds = List.of(
                List.of(() -> 5_000, () -> 5_000, () -> 5_000),
                List.of(any, any, any),
                List.of(() -> 1_000, () -> 20_000, () -> 5_000),
                List.of(sometimesLong, () -> 5_000, () -> 100_000));
        for (List<LongSupplier> durations : kinds) {
            Simulation sim = new Simulation(limit);
            IntStream.range(0, 3)
                    .forEach(i -> sim.tenant(1 << i, durations.get(i)).backlog(20));

            sim.runUntil(60 * SECOND);

            double total = sim.tenants.stream().mapToLong(t -> t.slotMicros).sum();
            assertThat(total).isEqualTo(60.0 * SECOND * limit);
            for (Simulation.Tenant tenant : sim.tenants) {
                assertThat(tenant.slotMicros / total)
                        .isCloseTo(tenant.weight / 7.0, within(0.02 * tenant.weight / 7.0));
            }
        }
    }

    @Test
    void hundredEqualTenantsGetEqualSlotTime() {
        Random random = new Random(7);
        Simulation sim = new Simulation(8);
        IntStream.range(0, 100)
                .forEach(i -> sim.tenant(1, () -> 1 + random.nextInt(17_000)).backlog(1 + i % 5));

        sim.runUntil(120 * SECOND);

        for (Simulation.Tenant tenant : sim.tenants) {
            assertThat(tenant.slotMicros / (120.0 * SECOND * 8)).isCloseTo(0.01, within(0.0002));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5_000, 50_000, 5_000_000})
    void floodOfAnyCallLengthNeitherDelaysNorRefusesPacedTenant(long floodCall) {
        Simulation sim = new Simulation(8);
        Simulation.Tenant flooder = sim.tenant(1, floodCall).backlog(400);
        sim.runUntil(SECOND);
        Simulation.Tenant paced = sim.tenant(1, 5_000);
        sim.runUntil(20 * SECOND); // what the flooder took while it was alone comes back
        paced.every(10_000);
        long before = flooder.slotMicros;

        sim.runUntil(80 * SECOND);

        assertThat(paced.refused).isZero();
        assertThat(paced.waits).allSatisfy(wait -> assertThat(wait).isZero());
        double rest = 60.0 * SECOND * 8 - 60 * 100 * 5_000;
        assertThat(flooder.slotMicros - before).isGreaterThan((long) (0.9 * rest));
    }

    /** Two flooders together may not eat the reserve either. */
    @Test
    void coalitionOfFloodersLeavesRoomForPacedTenant() {
        Simulation sim = new Simulation(8);
        Simulation.Tenant paced = sim.tenant(1, 5_000);
        sim.tenant(1, 5_000_000).backlog(200);
        sim.tenant(1, 5_000_000).backlog(200);
        sim.runUntil(SECOND);
        paced.every(10_000);

        sim.runUntil(60 * SECOND);

        assertThat(paced.refused).isZero();
        assertThat(paced.waits).allSatisfy(wait -> assertThat(wait).isZero());
    }

    @Test
    void cheapCallsGetTheirShareBesideBackloggedLongOnes() {
        Simulation sim = new Simulation(8);
        Simulation.Tenant cheap = sim.tenant(1, 2_000).backlog(50);
        Simulation.Tenant costly = sim.tenant(1, 5 * SECOND).backlog(50);

        sim.runUntil(300 * SECOND);

        assertThat((double) cheap.slotMicros / costly.slotMicros).isCloseTo(1.0, within(0.02));
        assertThat(cheap.served).isGreaterThan(1000 * costly.served);
    }

    @Test
    void togglingGainsNothing() {
        for (long period : new long[] {3_000, 10_000, 70_000, 500_000}) {
            Simulation sim = new Simulation(4);
            Simulation.Tenant steady = sim.tenant(1, 5_000).backlog(20);
            Simulation.Tenant toggling = sim.tenant(1, 5_000);
            for (long at = 0; at < 60 * SECOND; at += period) {
                sim.at(at, () -> IntStream.range(0, 4).forEach(i -> toggling.offer()));
            }
            sim.runUntil(60 * SECOND);

            assertThat(toggling.slotMicros).as("period %d", period).isLessThanOrEqualTo((long)
                    (1.01 * 60 * SECOND * 4 / 2));
            assertThat(steady.slotMicros).isGreaterThanOrEqualTo((long) (0.99 * 60 * SECOND * 4 / 2));
        }
    }

    /** Debt is floored at one second per weight: an old flood does not lock a tenant out for as long as it lasted. */
    @Test
    void debtLapsesBeyondOneSecondOfSlotTime() {
        Simulation sim = new Simulation(1);
        Simulation.Tenant former = sim.tenant(1, 5_000).backlog(1);
        sim.runUntil(30 * SECOND);
        former.keepQueued = 0;
        sim.runUntil(31 * SECOND);
        for (int i = 0; i < 1_000; i++) { // used without waiting, hence without rounds: pure debt
            former.flow.usage().begin(sim.now - 5_000);
            former.flow.usage().end(sim.now - 5_000, sim.now);
        }
        sim.discipline.tick(sim.now);
        assertThat(former.flow.deficitMicros()).isEqualTo(-SECOND);

        Simulation.Tenant other = sim.tenant(1, 5_000).backlog(5);
        former.backlog(5);
        long servedBefore = former.served;
        long start = sim.now;
        while (former.served == servedBefore) {
            sim.runUntil(sim.now + 5_000);
        }
        assertThat(sim.now - start).isBetween(SECOND * 9 / 10, SECOND * 11 / 10);
        assertThat(other.served).isBetween(180L, 220L);
    }
}
