package dev.ron.registry.book;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.registry.store.Ref;
import java.util.Arrays;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * The committer adds a commit while readers look for the newest: what they find is the commit that was counted, also in the
 * moment in which the shelf grows.
 */
class ShelfModelTest {
    private static final int FIRST_SIZE = 64;

    /** As it is, one short of full. */
    public static class Operations {
        private final Shelf shelf = new Shelf();

        public Operations() {
            for (int i = 1; i < FIRST_SIZE; i++) {
                shelf.add(Ref.unpack(i));
            }
        }

        @Operation(nonParallelGroup = "writer")
        public long commit() {
            long next = shelf.count() + 1;
            shelf.add(Ref.unpack(next));
            return next;
        }

        @Operation
        public long newest() {
            return shelf.get(shelf.count()).packed();
        }
    }

    /** What must be so. */
    public static class Spec {
        private long count = FIRST_SIZE - 1;

        public long commit() {
            return ++count;
        }

        public long newest() {
            return count;
        }
    }

    /** Broken: counts the commit before it stands in its place. */
    public static class CountsFirst {
        private volatile long[] refs = new long[FIRST_SIZE];
        private volatile int count;

        public CountsFirst() {
            for (int i = 1; i < FIRST_SIZE; i++) {
                refs[i - 1] = i;
            }
            count = FIRST_SIZE - 1;
        }

        @Operation(nonParallelGroup = "writer")
        public long commit() {
            int at = count;
            count = at + 1;
            long[] known = refs;
            if (at == known.length) {
                known = Arrays.copyOf(known, known.length * 2);
            }
            known[at] = at + 1L;
            refs = known;
            return at + 1L;
        }

        @Operation
        public long newest() {
            int now = count;
            long[] known = refs;
            return now > known.length ? -1 : known[now - 1];
        }
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Spec.class);
    }

    // commit | newest   ->  the newest is one that was committed and counted
    @Test
    void aReaderFindsWhatWasCounted() {
        options().check(Operations.class);
    }

    @Test
    void countingBeforePlacingIsCaught() {
        assertThatThrownBy(() -> options().check(CountsFirst.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
