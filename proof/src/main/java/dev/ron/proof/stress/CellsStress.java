package dev.ron.proof.stress;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.topology.Topology;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Watch, broadcast, permits and snapshot under the real memory model. */
public final class CellsStress {
    private CellsStress() {}

    /** A mutable thing, written before it is published. */
    static final class Pair {
        int left;
        int right;

        static Pair of(int both) {
            Pair pair = new Pair();
            pair.left = both;
            pair.right = both;
            return pair;
        }
    }

    // publish | get  ->  the old value or the new one, whole
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "old or new")
    @Outcome(expect = Expect.FORBIDDEN, desc = "torn")
    public static class SnapshotWhole {
        private final Snapshot<Pair> snapshot = new Snapshot<>(Pair.of(0));

        @Actor
        public void writer() {
            snapshot.publish(Pair.of(1));
        }

        @Actor
        public void reader(II_Result result) {
            Pair pair = snapshot.get();
            result.r1 = pair.left;
            result.r2 = pair.right;
        }
    }

    // set | set | arbiter reads  ->  two versions
    @JCStressTest
    @State
    @Outcome(
            id = {"2, 3, 3", "3, 2, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "a version each")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a version lost")
    public static class WatchVersions {
        private final Watch.Writer<Integer> writer = Watch.of(0);

        @Actor
        public void one(III_Result result) {
            result.r1 = (int) writer.set(1);
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = (int) writer.set(2);
        }

        @Arbiter
        public void end(III_Result result) {
            result.r3 = (int) writer.watch().current().version();
        }
    }

    // publish | publish | arbiter reads  ->  received + missed = published
    @JCStressTest
    @State
    @Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "all accounted for")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an event lost or made up")
    public static class BroadcastSum {
        private final Broadcast<Integer> ring = new Broadcast<>(Topology.broadcast("events", 2));
        private final Subscription<Integer> reader = ring.subscribe("r");

        @Actor
        public void one() {
            ring.publish(1);
            ring.publish(1);
        }

        @Actor
        public void other() {
            ring.publish(2);
            ring.publish(2);
        }

        @Arbiter
        public void end(I_Result result) {
            for (var next = reader.tryReceive(); next.isPresent(); next = reader.tryReceive()) {
                result.r1 += next.get() instanceof Received.Lagged<Integer>(long missed) ? (int) missed : 1;
            }
            reader.close();
        }
    }

    // tryAcquire | tryAcquire on one permit  ->  exactly one gets it
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    public static class OnePermit {
        private final Permits permits = new Permits("inflight", 1);

        @Actor
        public void one(II_Result result) {
            result.r1 = permits.tryAcquire() ? 1 : 0;
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = permits.tryAcquire() ? 1 : 0;
        }
    }
}
