package dev.ron.proof.model;

import dev.ron.kernel.sync.Permits;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The bound holds at every instant, also while it is changed. */
class PermitsModelTest {

    public static class Operations {
        private final Permits permits = new Permits("inflight", 2);

        @Operation
        public boolean acquire() {
            return permits.tryAcquire();
        }

        @Operation
        public boolean release() {
            try {
                permits.release();
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        }

        @Operation
        public void resize(@Param(gen = IntGen.class, conf = "1:3") int limit) {
            permits.resize(limit);
        }

        @Operation
        public int inUse() {
            return permits.inUse();
        }
    }

    public static class Spec {
        private int limit = 2;
        private int used;

        public boolean acquire() {
            if (used < limit) {
                used++;
                return true;
            }
            return false;
        }

        public boolean release() {
            if (used == 0) {
                return false;
            }
            used--;
            return true;
        }

        public void resize(int newLimit) {
            limit = newLimit;
        }

        public int inUse() {
            return used;
        }
    }

    /** Broken: gives back first and looks afterwards whether there was anything to give back. */
    public static class LookAfter {
        private final AtomicInteger used = new AtomicInteger();
        private volatile int limit = 2;

        @Operation
        public boolean acquire() {
            int now = used.get();
            while (now < limit) {
                if (used.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = used.get();
            }
            return false;
        }

        @Operation
        public boolean release() {
            if (used.decrementAndGet() < 0) {
                used.incrementAndGet();
                return false;
            }
            return true;
        }

        @Operation
        public void resize(@Param(gen = IntGen.class, conf = "1:3") int newLimit) {
            limit = newLimit;
        }

        @Operation
        public int inUse() {
            return used.get();
        }
    }

    @Test
    void isABoundedCounter() {
        Models.holds(Operations.class, Spec.class);
    }

    @Test
    void aPermitGivenBackBeforeLookingIsCaught() {
        Models.isCaught(LookAfter.class, Spec.class);
    }

    /** Waits for a permit, notes how many are inside, gives it back. */
    private static final class User extends Thread {
        private final Permits permits;
        private final AtomicInteger inside;
        volatile int most;

        User(Permits permits, AtomicInteger inside) {
            this.permits = permits;
            this.inside = inside;
        }

        @Override
        public void run() {
            permits.acquire(Models.never());
            most = inside.incrementAndGet();
            inside.decrementAndGet();
            permits.release();
        }
    }

    // acquire, release | acquire, release | acquire, release  ->  one inside at a time, all served
    @Test
    void everyoneIsServedOneAtATime() {
        Models.endsWell(() -> {
            Permits permits = new Permits("inflight", 1);
            AtomicInteger inside = new AtomicInteger();
            User first = new User(permits, inside);
            User second = new User(permits, inside);
            first.start();
            second.start();
            permits.acquire(Models.never());
            int most = inside.incrementAndGet();
            inside.decrementAndGet();
            permits.release();
            Models.join(first);
            Models.join(second);
            Models.check(most == 1 && first.most == 1 && second.most == 1, "two were inside");
        });
    }
}
