package dev.ron.proof.stress;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The same structures with one thing wrong in each; the run must report every one of them. */
public final class BrokenTwins {
    private BrokenTwins() {}

    /** A mailbox whose slot and closed flag are plain fields, checked and then acted on. */
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 1", "0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "delivered or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or neither")
    public static class BrokenMailbox {
        private volatile boolean closed;
        private volatile @Nullable Integer slot;

        @Actor
        public void sender(II_Result result) {
            if (!closed) {
                slot = 7;
                result.r1 = 1;
            }
        }

        @Actor
        public void closer(II_Result result) {
            closed = true;
            result.r2 = slot == null ? 0 : 1;
        }
    }

    /** A watch whose version is read and written in two steps. */
    @JCStressTest
    @State
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "a version each")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a version lost")
    public static class BrokenWatch {
        private volatile int version = 1;

        @Actor
        public void one() {
            int mine = version;
            version = mine + 1;
        }

        @Actor
        public void other() {
            int mine = version;
            version = mine + 1;
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = version;
        }
    }

    /** A broadcast that takes its number after it has written the slot. */
    @JCStressTest
    @State
    @Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "both events")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one wrote over the other")
    public static class BrokenBroadcast {
        private final int[] ring = new int[4];
        private volatile int next;

        private void publish(int event) {
            int at = next;
            ring[at] = event;
            next = at + 1;
        }

        @Actor
        public void one() {
            publish(1);
        }

        @Actor
        public void other() {
            publish(2);
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = ring[0] + ring[1];
        }
    }

    /** Permits that look and then take. */
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both")
    public static class BrokenPermits {
        private volatile int used;

        private int tryAcquire() {
            if (used < 1) {
                used = 1;
                return 1;
            }
            return 0;
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = tryAcquire();
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = tryAcquire();
        }
    }

    /** A snapshot that is replaced piece by piece. */
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "old or new")
    @Outcome(expect = Expect.FORBIDDEN, desc = "torn")
    public static class BrokenSnapshot {
        private int left;
        private int right;

        @Actor
        public void writer() {
            left = 1;
            right = 1;
        }

        @Actor
        public void reader(II_Result result) {
            result.r1 = left;
            result.r2 = right;
        }
    }
}
