package dev.ron.gateway.arbiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.ArbiterModel.Mutant;
import dev.ron.gateway.arbiter.ArbiterModel.World;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every order of steps of a small arbiter, with a cancel and a shutdown at any point. */
class ArbiterModelTest {

    private record Found(int states, int ends, @Nullable String violation) {}

    /** Depth first through all reachable states. */
    private static Found search(ArbiterModel start) {
        Set<String> met = new HashSet<>();
        ArrayDeque<ArbiterModel> open = new ArrayDeque<>();
        met.add(start.key());
        open.push(start);
        int ends = 0;
        while (!open.isEmpty()) {
            ArbiterModel state = open.pop();
            String violation = state.violation();
            boolean end = true;
            for (int actor = 0; actor < state.actors() && violation == null; actor++) {
                ArbiterModel next = state.after(actor);
                if (next != null) {
                    end = false;
                    if (met.add(next.key())) {
                        open.push(next);
                    }
                }
            }
            if (end && violation == null) {
                ends++;
                violation = state.violationAtEnd();
            }
            if (violation != null) {
                return new Found(met.size(), ends, violation);
            }
        }
        return new Found(met.size(), ends, null);
    }

    // arrive | arrive | cancel | drain | release | release  ->  each job answered once, nothing left over
    @ParameterizedTest
    @EnumSource
    void twoProducersQueueOfTwoLimitOneCancelAndShutdownAtAnyPoint(World world) {
        Found found = search(new ArbiterModel(Mutant.NONE, world, 2, 2, 1));

        assertThat(found.violation()).isNull();
        assertThat(found.states()).isGreaterThan(1_000);
        assertThat(found.ends()).isPositive();
    }

    /** A queue of one: the third job may be refused. */
    @Test
    void threeProducersQueueOfOne() {
        assertThat(search(new ArbiterModel(Mutant.NONE, World.NO_SHUTDOWN, 3, 1, 1))
                        .violation())
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void mutantIsCaught(Mutant mutant) {
        assertThat(World.values())
                .anyMatch(world ->
                        search(new ArbiterModel(mutant, world, 2, 2, 1)).violation() != null);
    }
}
