package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.sync.Snapshot;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Revocation;
import java.util.List;
import java.util.Optional;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * One writer revokes while verifiers read: what a reader gets are the revocations it lacks, all of them and in order, or the
 * word that it must take the whole set.
 */
class FeedModelTest {
    private static final int CAPACITY = 2;

    private static FeedEntry entry(long seq) {
        return new FeedEntry(seq, new Revocation.Id("id" + seq, 1), "other");
    }

    private static boolean isRight(long since, long seq, Optional<List<FeedEntry>> news) {
        if (news.isEmpty()) {
            return true;
        }
        List<Long> expected = new java.util.ArrayList<>();
        for (long number = since + 1; number <= seq; number++) {
            expected.add(number);
        }
        return news.get().stream().map(FeedEntry::seq).toList().equals(expected);
    }

    /** As the registrar does it: into the log first, then into the snapshot that counts it. */
    public static class Operations {
        private final FeedLog log = new FeedLog(CAPACITY);
        private final Snapshot<Long> seq = new Snapshot<>(0L);

        @Operation(nonParallelGroup = "writer")
        public long revoke() {
            long next = seq.get() + 1;
            log.add(entry(next));
            seq.publish(next);
            return next;
        }

        @Operation
        public boolean news(@Param(gen = IntGen.class, conf = "0:3") int since) {
            long now = seq.get();
            return isRight(since, now, log.between(since, now));
        }
    }

    /** What must be so: numbers in a row, and never a wrong list. */
    public static class Spec {
        private long seq;

        public long revoke() {
            return ++seq;
        }

        public boolean news(int since) {
            return true;
        }
    }

    /** Broken: trusts the place in the ring instead of looking at the number that is there. */
    public static class TrustsTheSlot {
        private final java.util.concurrent.atomic.AtomicReferenceArray<FeedEntry> ring =
                new java.util.concurrent.atomic.AtomicReferenceArray<>(CAPACITY);
        private final Snapshot<Long> seq = new Snapshot<>(0L);

        @Operation(nonParallelGroup = "writer")
        public long revoke() {
            long next = seq.get() + 1;
            ring.set((int) (next % CAPACITY), entry(next));
            seq.publish(next);
            return next;
        }

        @Operation
        public boolean news(@Param(gen = IntGen.class, conf = "0:3") int since) {
            long now = seq.get();
            if (since > now || now - since > CAPACITY) {
                return true;
            }
            List<FeedEntry> found = new java.util.ArrayList<>();
            for (long number = since + 1L; number <= now; number++) {
                found.add(ring.get((int) (number % CAPACITY)));
            }
            return isRight(since, now, Optional.of(found));
        }
    }

    // revoke | revoke ... | news  ->  a gapless list or "take them all", also when the ring laps the reader
    @Test
    void aReaderNeverGetsAListWithAGap() {
        options().check(Operations.class);
    }

    @Test
    void aRingThatIsTrustedIsCaught() {
        assertThatThrownBy(() -> options().check(TrustsTheSlot.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(4)
                .actorsBefore(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Spec.class);
    }
}
