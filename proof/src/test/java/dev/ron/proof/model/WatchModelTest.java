package dev.ron.proof.model;

import dev.ron.kernel.channel.Watch;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Versions grow by one, readers see the newest, and a waiting reader is woken for it. */
class WatchModelTest {

    public static class Operations {
        private final Watch.Writer<Integer> writer = Watch.of(0);

        @Operation
        public long set(@Param(gen = IntGen.class, conf = "1:9") int value) {
            return writer.set(value);
        }

        @Operation
        public String current() {
            Watch.Versioned<Integer> now = writer.watch().current();
            return now.value() + " at " + now.version();
        }
    }

    public static class Spec {
        private int value;
        private long version = 1;

        public long set(int next) {
            value = next;
            return ++version;
        }

        public String current() {
            return value + " at " + version;
        }
    }

    /** Broken: value and version are two steps. */
    public static class TwoSteps {
        private volatile int value;
        private volatile long version = 1;

        @Operation
        public long set(@Param(gen = IntGen.class, conf = "1:9") int next) {
            value = next;
            long mine = version + 1;
            version = mine;
            return mine;
        }

        @Operation
        public String current() {
            return value + " at " + version;
        }
    }

    @Test
    void isOneSlotWithVersions() {
        Models.holds(Operations.class, Spec.class);
    }

    @Test
    void aValueApartFromItsVersionIsCaught() {
        Models.isCaught(TwoSteps.class, Spec.class);
    }

    /** Waits for versions until it has seen the wanted one. */
    private static final class Reader extends Thread {
        private final Watch<Integer> watch;
        private final int wanted;
        volatile boolean grew = true;

        Reader(Watch<Integer> watch, int wanted) {
            this.watch = watch;
            this.wanted = wanted;
        }

        @Override
        public void run() {
            long seen = 1;
            int value = 0;
            while (value != wanted) {
                Watch.Versioned<Integer> next =
                        watch.awaitNewerThan(seen, Models.never()).orElseThrow();
                grew &= next.version() > seen;
                seen = next.version();
                value = next.value();
            }
        }
    }

    // awaitNewerThan.. | set, set  ->  the newest is seen, nobody sleeps past it
    @Test
    void aReaderNeverSleepsPastTheNewest() {
        Models.endsWell(() -> {
            Watch.Writer<Integer> writer = Watch.of(0);
            Reader first = new Reader(writer.watch(), 2);
            Reader second = new Reader(writer.watch(), 2);
            first.start();
            second.start();
            writer.set(1);
            writer.set(2);
            Models.join(first);
            Models.join(second);
            Models.check(first.grew && second.grew, "a version came twice");
        });
    }
}
