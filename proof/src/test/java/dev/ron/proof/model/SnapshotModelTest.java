package dev.ron.proof.model;

import dev.ron.kernel.sync.Snapshot;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Readers see a value whole: the old one or the new one. */
class SnapshotModelTest {

    private record Pair(int left, int right) {}

    public static class Operations {
        private final Snapshot<Pair> snapshot = new Snapshot<>(new Pair(0, 0));

        @Operation
        public void publish(@Param(gen = IntGen.class, conf = "1:9") int value) {
            snapshot.publish(new Pair(value, value));
        }

        @Operation
        public String get() {
            Pair pair = snapshot.get();
            return pair.left() + " " + pair.right();
        }
    }

    public static class Spec {
        private int value;

        public void publish(int next) {
            value = next;
        }

        public String get() {
            return value + " " + value;
        }
    }

    /** Broken: replaces the value piece by piece. */
    public static class Torn {
        private volatile int left;
        private volatile int right;

        @Operation
        public void publish(@Param(gen = IntGen.class, conf = "1:9") int value) {
            left = value;
            right = value;
        }

        @Operation
        public String get() {
            return left + " " + right;
        }
    }

    @Test
    void isOneCellReplacedWhole() {
        Models.holds(Operations.class, Spec.class);
    }

    @Test
    void aTornValueIsCaught() {
        Models.isCaught(Torn.class, Spec.class);
    }
}
