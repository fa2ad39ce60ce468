package dev.ron.proof.gateway;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.arbiter.Election;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** One leader at a time, and no news is lost. */
class ElectionModelTest {
    private static final int INTERLEAVINGS = 1_000;

    /** How a leader is found and how it steps down. */
    abstract static class Way {
        abstract boolean raise();

        abstract int seen();

        abstract boolean resign(int seen);
    }

    static final class Real extends Way {
        private final Election election = new Election();

        @Override
        boolean raise() {
            return election.raise();
        }

        @Override
        int seen() {
            return election.seen();
        }

        @Override
        boolean resign(int seen) {
            return election.resign(seen);
        }
    }

    /** Broken: looks whether someone leads, then leads. */
    static final class ChecksThenActs extends Way {
        private final AtomicInteger news = new AtomicInteger();

        @Override
        boolean raise() {
            boolean free = news.get() == 0;
            news.incrementAndGet();
            return free;
        }

        @Override
        int seen() {
            return news.get();
        }

        @Override
        boolean resign(int seen) {
            return news.addAndGet(-seen) == 0;
        }
    }

    /** Broken: steps down without asking whether there was news since it looked. */
    static final class StepsDownBlindly extends Way {
        private final AtomicInteger news = new AtomicInteger();

        @Override
        boolean raise() {
            return news.getAndIncrement() == 0;
        }

        @Override
        int seen() {
            return news.get();
        }

        @Override
        boolean resign(int seen) {
            news.set(0);
            return true;
        }
    }

    /** Three threads bring one item each; whoever leads counts what it finds. */
    static final class Scenario implements Runnable {
        private final Way way;
        private final AtomicInteger items = new AtomicInteger();
        private volatile int handled;
        private volatile int leaders;
        private volatile boolean twoLed;

        Scenario(Way way) {
            this.way = way;
        }

        void bring() {
            items.incrementAndGet();
            if (!way.raise()) {
                return;
            }
            int seen;
            do {
                seen = way.seen();
                int now = leaders + 1; // not atomic on purpose: only one may be here
                leaders = now;
                twoLed |= now != 1;
                int before = handled;
                handled = before + items.getAndSet(0);
                leaders = now - 1;
            } while (!way.resign(seen));
        }

        @Override
        public void run() {
            Thread[] threads = new Thread[3];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Bringer(this);
                threads[i].start();
            }
            for (Thread thread : threads) {
                join(thread);
            }
            if (twoLed || handled != threads.length) {
                throw new AssertionError("two led: " + twoLed + ", handled: " + handled);
            }
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static final class Bringer extends Thread {
        private final Scenario scenario;

        Bringer(Scenario scenario) {
            this.scenario = scenario;
        }

        @Override
        public void run() {
            scenario.bring();
        }
    }

    @Test
    void oneLeadsAtATimeAndEverythingIsHandled() {
        Lincheck.runConcurrentTest(INTERLEAVINGS, () -> new Scenario(new Real()).run());
    }

    @Test
    void checkThenActIsCaught() {
        assertThatThrownBy(
                        () -> Lincheck.runConcurrentTest(INTERLEAVINGS, () -> new Scenario(new ChecksThenActs()).run()))
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void steppingDownBlindlyIsCaught() {
        assertThatThrownBy(() ->
                        Lincheck.runConcurrentTest(INTERLEAVINGS, () -> new Scenario(new StepsDownBlindly()).run()))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
