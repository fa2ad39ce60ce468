package dev.ron.proof.gateway;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.arbiter.ArbiterSettings;
import dev.ron.gateway.arbiter.ArbiterWatch;
import dev.ron.gateway.arbiter.Caller;
import dev.ron.gateway.arbiter.Job;
import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.arbiter.Slot;
import dev.ron.gateway.arbiter.TenantKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** The whole arbiter in a small world: one slot, two tenants, three threads that ask, use, leave or shut down. */
class ArbiterModelTest {
    private static final int INTERLEAVINGS = Boolean.getBoolean("ron.long") ? 10_000 : 120;
    private static final long NOW = 1_000_000_000L;

    /** Who may use the one slot. */
    abstract static class Way {
        abstract void ask(User user);

        /** True if the user hears nothing any more. */
        abstract boolean leave(User user);

        abstract void shutDown();

        abstract boolean atRest();
    }

    static final class Real extends Way implements ArbiterWatch {
        private final Arbiter arbiter =
                new Arbiter(new ArbiterSettings(1, 2, Duration.ofSeconds(1), 4, 1, 1), Runnable::run, this);

        @Override
        void ask(User user) {
            arbiter.arrive(user.job, NOW);
        }

        @Override
        boolean leave(User user) {
            return arbiter.cancel(user.job, NOW);
        }

        @Override
        void shutDown() {
            arbiter.drain(NOW);
        }

        @Override
        boolean atRest() {
            return arbiter.inFlight() == 0 && arbiter.waiting() == 0;
        }

        @Override
        public void restarted(Throwable cause, int shed) {
            throw new AssertionError(cause);
        }

        @Override
        public void fellBackToFifo() {}

        @Override
        public void callerFailed(RuntimeException failure) {
            throw failure;
        }
    }

    /** Broken: looks whether the slot is free, then takes it. */
    static final class ChecksThenActs extends Way {
        private final AtomicInteger inFlight = new AtomicInteger();
        private final ArrayDeque<User> waiting = new ArrayDeque<>();

        @Override
        void ask(User user) {
            if (inFlight.get() < 1) {
                inFlight.incrementAndGet();
                serve(user);
            } else {
                synchronized (waiting) {
                    waiting.add(user);
                }
            }
        }

        private void serve(User first) {
            for (User user = first; user != null; user = next()) {
                user.use();
            }
        }

        private User next() {
            synchronized (waiting) {
                User next = waiting.poll();
                if (next == null) {
                    inFlight.decrementAndGet();
                }
                return next;
            }
        }

        @Override
        boolean leave(User user) {
            synchronized (waiting) {
                return waiting.remove(user);
            }
        }

        @Override
        void shutDown() {}

        @Override
        boolean atRest() {
            synchronized (waiting) {
                return inFlight.get() == 0 && waiting.isEmpty();
            }
        }
    }

    /** One who asks; uses the slot and gives it back at once. */
    static final class User implements Caller {
        private final Scenario scenario;
        private final Job job;
        private final AtomicInteger answers = new AtomicInteger();

        User(Scenario scenario, String tenant) {
            this.scenario = scenario;
            this.job = Job.of(new TenantKey("", tenant), NOW).on(Runnable::run, this);
        }

        void use() {
            answers.incrementAndGet();
            int now = scenario.users + 1; // not atomic on purpose: only one may be here
            scenario.users = now;
            scenario.twoAtOnce |= now != 1;
            scenario.users = now - 1;
        }

        @Override
        public void granted(Slot slot) {
            use();
            slot.release(NOW);
        }

        @Override
        public void refused(Refusal why) {
            answers.incrementAndGet();
        }
    }

    /** Three threads with one user each; one of them changes its mind, or stops the whole. */
    static final class Scenario implements Runnable {
        private final Way way;
        private final boolean stops;
        private volatile int users;
        private volatile boolean twoAtOnce;

        Scenario(Way way, boolean stops) {
            this.way = way;
            this.stops = stops;
        }

        @Override
        public void run() {
            User first = new User(this, "acme");
            User second = new User(this, "globex");
            User third = new User(this, "acme");
            Thread one = new Asking(way, first, false, false);
            Thread two = new Asking(way, second, false, false);
            Thread three = new Asking(way, third, !stops, stops);
            one.start();
            two.start();
            three.start();
            join(one);
            join(two);
            join(three);
            boolean left = ((Asking) three).left;
            check(!twoAtOnce, "two had the slot at once");
            check(first.answers.get() == 1, "the first was answered " + first.answers + " times");
            check(second.answers.get() == 1, "the second was answered " + second.answers + " times");
            check(third.answers.get() == (left ? 0 : 1), "the third was answered " + third.answers + " times");
            check(way.atRest(), "something was left behind");
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private static void check(boolean claim, String otherwise) {
            if (!claim) {
                throw new AssertionError(otherwise);
            }
        }
    }

    static final class Asking extends Thread {
        private final Way way;
        private final User user;
        private final boolean leaves;
        private final boolean stops;
        private volatile boolean left;

        Asking(Way way, User user, boolean leaves, boolean stops) {
            this.way = way;
            this.user = user;
            this.leaves = leaves;
            this.stops = stops;
        }

        @Override
        public void run() {
            way.ask(user);
            if (leaves) {
                left = way.leave(user);
            }
            if (stops) {
                way.shutDown();
            }
        }
    }

    // arrive | arrive | arrive, cancel  ->  one at a time, everyone answered exactly once, no slot lost
    @Test
    void oneAtATimeAndEveryoneIsAnsweredOnce() {
        new Scenario(new Real(), false).run(); // in the open first, so that every class is initialised
        Lincheck.runConcurrentTest(INTERLEAVINGS, () -> new Scenario(new Real(), false).run());
    }

    // arrive | arrive | arrive, drain  ->  the same
    @Test
    void aShutdownLeavesNobodyWaiting() {
        new Scenario(new Real(), true).run();
        Lincheck.runConcurrentTest(INTERLEAVINGS, () -> new Scenario(new Real(), true).run());
    }

    @Test
    void checkThenActIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INTERLEAVINGS, () -> new Scenario(new ChecksThenActs(), false).run()))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
