package dev.ron.proof.gateway;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.arbiter.Entry;
import dev.ron.gateway.arbiter.Occupancy;
import dev.ron.gateway.arbiter.Word;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** In-flight, waiting and limit change as one: no order of arrivals and resizes admits one too many. */
class OccupancyModelTest {

    public static class Operations {
        private final Occupancy occupancy = new Occupancy(2, 2);

        @Operation
        public Entry enter() {
            return occupancy.enter(0, false);
        }

        @Operation
        public void resize(@Param(gen = IntGen.class, conf = "1:4") int limit) {
            occupancy.resize(limit);
        }

        @Operation
        public String counts() {
            long word = occupancy.word();
            return Word.inFlight(word) + " of " + Word.limit(word) + ", " + Word.waiting(word) + " wait";
        }
    }

    public static class Spec {
        private int inFlight;
        private int waiting;
        private int limit = 2;

        public Entry enter() {
            if (waiting == 0 && inFlight < limit) {
                inFlight++;
                return Entry.SLOT;
            }
            if (waiting < 2) {
                waiting++;
                return Entry.SEAT;
            }
            return Entry.FULL;
        }

        public void resize(int next) {
            limit = next;
        }

        public String counts() {
            return inFlight + " of " + limit + ", " + waiting + " wait";
        }
    }

    /** Broken: looks, then acts. */
    public static class ChecksThenActs {
        private volatile int inFlight;
        private volatile int waiting;
        private volatile int limit = 2;

        @Operation
        public Entry enter() {
            int running = inFlight;
            int queued = waiting;
            if (queued == 0 && running < limit) {
                inFlight = running + 1;
                return Entry.SLOT;
            }
            if (queued < 2) {
                waiting = queued + 1;
                return Entry.SEAT;
            }
            return Entry.FULL;
        }

        @Operation
        public void resize(@Param(gen = IntGen.class, conf = "1:4") int next) {
            limit = next;
        }

        @Operation
        public String counts() {
            return inFlight + " of " + limit + ", " + waiting + " wait";
        }
    }

    @Test
    void everyArrivalSeesOneMomentOfTheCounts() {
        options().check(Operations.class);
    }

    @Test
    void checkThenActIsCaught() {
        assertThatThrownBy(() -> options().check(ChecksThenActs.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(12)
                .invocationsPerIteration(400)
                .threads(3)
                .actorsPerThread(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Spec.class);
    }
}
