package dev.ron.gateway.arbiter.drr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds at every step of every history. */
class DrrLawsTest {

    sealed interface Step {
        record Offer(int tenant, int micros) implements Step {}

        record Cancel(int which) implements Step {}

        record Pass(int micros) implements Step {}
    }

    @Provide
    Arbitrary<Step> steps() {
        Arbitrary<Step> offer = Combinators.combine(Arbitraries.integers().between(0, 3), durations())
                .as(Step.Offer::new);
        Arbitrary<Step> cancel = Arbitraries.integers().between(0, 1_000).map(Step.Cancel::new);
        Arbitrary<Step> pass = Arbitraries.integers().between(0, 30_000).map(Step.Pass::new);
        return Arbitraries.frequencyOf(Tuple.of(6, offer), Tuple.of(1, cancel), Tuple.of(2, pass));
    }

    private static Arbitrary<Integer> durations() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.integers().between(1, 20_000)),
                Tuple.of(1, Arbitraries.integers().between(1, 3_000_000)));
    }

    @Property(tries = 10_000)
    void everyRequestLeavesOnceInOrderAndNoSlotIdlesBeyondTheReserve(
            @ForAll @IntRange(min = 1, max = 20) int limit,
            @ForAll @Size(4) List<@IntRange(min = 1, max = 8) Integer> weights,
            @ForAll @Size(max = 80) List<@From("steps") Step> steps) {
        Simulation sim = new Simulation(limit);
        int[] duration = new int[1];
        weights.forEach(weight -> sim.tenant(weight, () -> duration[0]));
        List<Simulation.Request> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Offer(int tenant, int micros) -> {
                    duration[0] = micros;
                    all.add(sim.tenants.get(tenant).offer());
                }
                case Step.Cancel(int which) -> {
                    if (!all.isEmpty()) {
                        sim.cancel(all.get(which % all.size()));
                    }
                }
                case Step.Pass(int micros) -> sim.runUntil(sim.now + micros);
            }
            sim.grant();
            int idle = limit - sim.inFlight;
            if (idle < 0 || (sim.waiting > 0 && idle > sim.shares.reserve(limit))) {
                throw new AssertionError(idle + " slots idle, " + sim.waiting + " wait");
            }
            assertConservation(sim);
        }
        sim.runUntil(sim.now + 1_000L * 1_000_000);
        assertThat(sim.waiting).isZero();
        assertThat(sim.inFlight).isZero();
        for (Simulation.Request request : all) {
            assertThat(request.refused ^ request.started >= 0).isTrue();
        }
        assertConservation(sim);
        sim.tenants.forEach(tenant -> assertThat(tenant.servedOrder).isSorted());
    }

    private static void assertConservation(Simulation sim) {
        for (Simulation.Tenant tenant : sim.tenants) {
            if (tenant.offered != tenant.served + tenant.refused + tenant.flow.waiting()) {
                throw new AssertionError("a request was lost or doubled");
            }
        }
    }

    /**
     * Between tenants that stay backlogged, what each got per weight differs by at most what can be in flight unforeseen:
     * the time of a full set of the longest calls on either side, plus one round.
     */
    @Property(tries = 1_000)
    void backloggedTenantsStayWithinTheBound(
            @ForAll @IntRange(min = 1, max = 16) int limit,
            @ForAll @Size(min = 2, max = 6) List<@IntRange(min = 1, max = 8) Integer> weights,
            @ForAll @IntRange(min = 1_000, max = 100_000) int longest,
            @ForAll long seed) {
        Random random = new Random(seed);
        Simulation sim = new Simulation(limit);
        for (int weight : weights) {
            int mine = 1 + random.nextInt(longest);
            sim.tenant(weight, () -> 1 + random.nextInt(mine)).backlog(3);
        }
        double bound = 2.0 * (limit + 2) * longest;
        for (int step = 0; step < 20; step++) {
            sim.runUntil(sim.now + longest * 5L);
            double least = Double.MAX_VALUE;
            double most = 0;
            for (Simulation.Tenant tenant : sim.tenants) {
                double perWeight = (double) tenant.slotMicros / tenant.weight;
                least = Math.min(least, perWeight);
                most = Math.max(most, perWeight);
            }
            assertThat(most - least).isLessThanOrEqualTo(bound);
        }
    }

    /** The latency of round robin: one round of the others, each with one call too many, and what was already running. */
    @Property(tries = 1_000)
    void newcomerIsServedWithinOneRoundOfSlotTime(
            @ForAll @IntRange(min = 1, max = 16) int limit,
            @ForAll @IntRange(min = 1, max = 20) int flooders,
            @ForAll @IntRange(min = 1_000, max = 5_000_000) int call,
            @ForAll long seed) {
        Random random = new Random(seed);
        Simulation sim = new Simulation(limit);
        for (int i = 0; i < flooders; i++) {
            sim.tenant(1 + random.nextInt(4), () -> 1 + random.nextInt(call)).backlog(20);
        }
        sim.runUntil(2L * call);
        Simulation.Tenant small = sim.tenant(1, 1_000);
        Simulation.Request request = small.offer();
        sim.grant();
        while (request.started < 0) {
            sim.runUntil(sim.now + Math.max(1, call / 50));
        }
        long weights = sim.tenants.stream().mapToLong(t -> t.weight).sum();
        long waitedSlotMicros = (request.started - request.arrived) * limit;
        assertThat(waitedSlotMicros).isLessThanOrEqualTo((weights + flooders + limit) * call);
    }
}
