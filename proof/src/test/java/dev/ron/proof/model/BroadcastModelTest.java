package dev.ron.proof.model;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A reader gets every event in order or learns exactly how many it missed. */
class BroadcastModelTest {
    private static final BroadcastSpec EVENTS = Topology.broadcast("events", 2);

    public static class Operations {
        private final Broadcast<Integer> ring = new Broadcast<>(EVENTS);
        private final Subscription<Integer> reader = ring.subscribe("r");

        @Operation
        public boolean publish(@Param(gen = IntGen.class, conf = "1:9") int event) {
            return ring.publish(event);
        }

        @Operation(nonParallelGroup = "reader")
        public String receive() {
            return reader.tryReceive()
                    .map(received -> switch (received) {
                        case Received.Item<Integer>(long seq, Integer value) -> seq + " is " + value;
                        case Received.Lagged<Integer>(long missed) -> "missed " + missed;
                        case Received.Closed<Integer>() -> "closed";
                    })
                    .orElse("nothing");
        }

        @Operation
        public void close() {
            ring.close();
        }
    }

    public static class Spec {
        private final List<Integer> events = new ArrayList<>();
        private int next;
        private boolean closed;

        public boolean publish(int event) {
            return !closed && events.add(event);
        }

        public String receive() {
            if (next == events.size()) {
                return closed ? "closed" : "nothing";
            }
            int oldest = Math.max(0, events.size() - 2);
            if (next < oldest) {
                int missed = oldest - next;
                next = oldest;
                return "missed " + missed;
            }
            return next + " is " + events.get(next++);
        }

        public void close() {
            closed = true;
        }
    }

    @Test
    void isAListWithAMovingWindow() {
        Models.holds(Operations.class, Spec.class);
    }

    /** Publishes two events. */
    private static final class Publisher extends Thread {
        private final Broadcast<Integer> ring;

        Publisher(Broadcast<Integer> ring) {
            this.ring = ring;
        }

        @Override
        public void run() {
            ring.publish(1);
            ring.publish(2);
        }
    }

    // publish, publish | publish, publish, close | receive..  ->  received + missed = 4, the reader ends
    @Test
    void receivedAndMissedAddUpWhileTheReaderSleepsAndWakes() {
        Models.endsWell(() -> {
            Broadcast<Integer> ring = new Broadcast<>(EVENTS);
            Subscription<Integer> reader = ring.subscribe("r");
            Publisher first = new Publisher(ring);
            Publisher second = new Publisher(ring);
            Closer closer = new Closer(ring, first, second);
            first.start();
            second.start();
            closer.start();
            long sum = 0;
            while (true) {
                Received<Integer> next = reader.receive(Models.never()).orElseThrow();
                if (next instanceof Received.Closed) {
                    break;
                }
                sum += next instanceof Received.Lagged<Integer>(long missed) ? missed : 1;
            }
            reader.close();
            Models.check(sum == 4, "accounted for " + sum);
        });
    }

    /** Closes when both have published. */
    private static final class Closer extends Thread {
        private final Broadcast<Integer> ring;
        private final Thread first;
        private final Thread second;

        Closer(Broadcast<Integer> ring, Thread first, Thread second) {
            this.ring = ring;
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
            Models.join(first);
            Models.join(second);
            ring.close();
        }
    }

    /** Broken: the number is taken after the slot is written, so two publishers may share one. */
    public static class LateNumber {
        private final AtomicLong next = new AtomicLong();
        private final AtomicReferenceArray<@Nullable Integer> ring = new AtomicReferenceArray<>(64);
        private int read;
        private volatile boolean closed;

        @Operation
        public boolean publish(@Param(gen = IntGen.class, conf = "1:9") int event) {
            if (closed) {
                return false;
            }
            ring.set((int) next.get(), event);
            next.incrementAndGet();
            return true;
        }

        @Operation(nonParallelGroup = "reader")
        public String receive() {
            long count = next.get();
            if (read == count) {
                return closed ? "closed" : "nothing";
            }
            if (read < count - 2) {
                long missed = count - 2 - read;
                read = (int) count - 2;
                return "missed " + missed;
            }
            int at = read++;
            return at + " is " + ring.get(at);
        }

        @Operation
        public void close() {
            closed = true;
        }
    }

    @Test
    void aNumberTakenTooLateIsCaught() {
        Models.isCaught(LateNumber.class, Spec.class);
    }
}
