package dev.ron.proof.model;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A mailbox is a bounded queue with a close, also when three threads use it at once. */
class MailboxModelTest {

    /** trySend, tryReceive, close and finished, by any thread. */
    public abstract static class Operations {
        private final ThreadLocal<@Nullable Integer> evicted = new ThreadLocal<>();
        private final Mailbox<Integer> box;

        Operations(int capacity, OnFull onFull) {
            box = new Mailbox<>(
                    Topology.mailbox("work", capacity).onFull(onFull),
                    Meter.none(),
                    (item, cause) -> evicted.set(item));
        }

        @Operation
        public String send(@Param(gen = IntGen.class, conf = "1:9") int item) {
            evicted.remove();
            Sent sent = box.trySend(item);
            return evicted.get() == null ? sent.name() : sent + " for " + evicted.get();
        }

        @Operation
        public @Nullable Integer receive() {
            return box.tryReceive().map(Delivery::item).orElse(null);
        }

        @Operation
        public void close() {
            box.close();
        }

        @Operation
        public boolean finished() {
            return box.finished();
        }
    }

    public static class RejectNew1 extends Operations {
        public RejectNew1() {
            super(1, OnFull.REJECT_NEW);
        }
    }

    public static class RejectNew2 extends Operations {
        public RejectNew2() {
            super(2, OnFull.REJECT_NEW);
        }
    }

    public static class DropOldest1 extends Operations {
        public DropOldest1() {
            super(1, OnFull.DROP_OLDEST);
        }
    }

    public static class DropOldest2 extends Operations {
        public DropOldest2() {
            super(2, OnFull.DROP_OLDEST);
        }
    }

    public static class Spec1 extends BoundedQueueSpec {
        public Spec1() {
            super(1, false);
        }
    }

    public static class Spec2 extends BoundedQueueSpec {
        public Spec2() {
            super(2, false);
        }
    }

    public static class DroppingSpec1 extends BoundedQueueSpec {
        public DroppingSpec1() {
            super(1, true);
        }
    }

    public static class DroppingSpec2 extends BoundedQueueSpec {
        public DroppingSpec2() {
            super(2, true);
        }
    }

    @Test
    void isABoundedQueue() {
        Models.holds(RejectNew1.class, Spec1.class);
        Models.holds(RejectNew2.class, Spec2.class);
    }

    @Test
    void dropsTheOldestInOneStep() {
        Models.holds(DropOldest1.class, DroppingSpec1.class);
        Models.holds(DropOldest2.class, DroppingSpec2.class);
    }

    /** Broken: looks whether there is room, then appends. */
    public static class CheckThenAct {
        private final Deque<Integer> items = new ArrayDeque<>();
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean closed;

        @Operation
        public String send(@Param(gen = IntGen.class, conf = "1:9") int item) {
            if (closed) {
                return Sent.CLOSED.name();
            }
            if (count.get() >= 1) {
                return Sent.FULL.name();
            }
            count.incrementAndGet();
            synchronized (items) {
                items.addLast(item);
            }
            return Sent.ACCEPTED.name();
        }

        @Operation
        public @Nullable Integer receive() {
            synchronized (items) {
                Integer item = items.pollFirst();
                if (item != null) {
                    count.decrementAndGet();
                }
                return item;
            }
        }

        @Operation
        public void close() {
            closed = true;
        }

        @Operation
        public boolean finished() {
            return closed && count.get() == 0;
        }
    }

    /** Broken: a receiver takes first and gives the place back later, so a second one makes FULL a lie. */
    public static class LateCount {
        private final ConcurrentLinkedQueue<Integer> items = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean closed;

        @Operation
        public String send(@Param(gen = IntGen.class, conf = "1:9") int item) {
            while (true) {
                int now = count.get();
                if (closed) {
                    return Sent.CLOSED.name();
                }
                if (now == 2) {
                    return Sent.FULL.name();
                }
                if (count.compareAndSet(now, now + 1)) {
                    items.add(item);
                    return Sent.ACCEPTED.name();
                }
            }
        }

        @Operation
        public @Nullable Integer receive() {
            Integer item = items.poll();
            if (item != null) {
                count.decrementAndGet();
            }
            return item;
        }

        @Operation
        public void close() {
            closed = true;
        }

        @Operation
        public boolean finished() {
            return closed && count.get() == 0;
        }
    }

    @Test
    void aBoundThatIsCheckedThenActedOnIsCaught() {
        Models.isCaught(CheckThenAct.class, Spec1.class);
    }

    @Test
    void aPlaceGivenBackLateIsCaught() {
        Models.isCaught(LateCount.class, Spec2.class);
    }
}
