package dev.ron.gateway.arbiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.Drr;
import dev.ron.gateway.arbiter.drr.Shares;
import dev.ron.gateway.arbiter.drr.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many loops at once: no bound is exceeded at any instant, and every job hears exactly one answer. */
@Timeout(120)
class ArbiterStressTest {
    private static final int LOOPS = 6;
    private static final int JOBS_PER_LOOP = 8_000;
    private static final int MOST_OUTSTANDING = 14;

    /** The far side: it counts for itself who is in flight, and what the limit was when they were let in. */
    private static final class Upstream {
        final AtomicInteger inFlight = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicLong served = new AtomicLong();
        final AtomicLong answers = new AtomicLong();

        void enter() {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        }

        void leave() {
            served.incrementAndGet();
            inFlight.decrementAndGet();
        }
    }

    /** A thread that runs tasks, sends jobs, and finishes exchanges a few turns later. */
    private static final class Loop implements Executor, Runnable {
        final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(JOBS_PER_LOOP);
        final List<Asked> asked = new ArrayList<>();
        final List<Slot> running = new ArrayList<>();
        final Random random;
        final Arbiter arbiter;
        final Upstream upstream;
        final AtomicBoolean stop;
        final int cancelEvery;
        int answered;
        volatile @Nullable Throwable failure;

        Loop(long seed, Arbiter arbiter, Upstream upstream, AtomicBoolean stop, int cancelEvery) {
            this.random = new Random(seed);
            this.arbiter = arbiter;
            this.upstream = upstream;
            this.stop = stop;
            this.cancelEvery = cancelEvery;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < JOBS_PER_LOOP; i++) {
                    send();
                    turn();
                    // Enough outstanding that all loops together fill the house, not so much that nearly all is
                    // refused.
                    while (asked.size() - answered > MOST_OUTSTANDING) {
                        waitForTask();
                    }
                }
                while (!stop.get()) {
                    waitForTask();
                }
            } catch (Throwable t) {
                failure = t;
            }
        }

        private void send() {
            Asked one = new Asked(this);
            TenantKey tenant = new TenantKey("", "t" + Math.min(random.nextInt(12), 7));
            one.job = Job.of(tenant, System.nanoTime()).on(this, one);
            asked.add(one);
            arbiter.arrive(one.job, System.nanoTime());
            if (cancelEvery > 0 && random.nextInt(cancelEvery) == 0) {
                Asked victim = asked.get(asked.size() - 1 - random.nextInt(Math.min(asked.size(), 20)));
                if (victim.job != null && arbiter.cancel(victim.job, System.nanoTime())) {
                    victim.cancelled = true;
                    answered();
                }
            }
        }

        void answered() {
            answered++;
            upstream.answers.incrementAndGet();
        }

        private void waitForTask() throws InterruptedException {
            Runnable task = tasks.poll(1, TimeUnit.MILLISECONDS);
            if (task != null) {
                task.run();
            }
            turn();
        }

        private void turn() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            while (!running.isEmpty() && random.nextInt(3) == 0) {
                Slot slot = running.remove(random.nextInt(running.size()));
                upstream.leave();
                slot.release(System.nanoTime());
                slot.release(System.nanoTime());
            }
        }
    }

    private static final class Asked implements Caller {
        final Loop loop;

        @Nullable
        Job job;

        int granted;
        int refused;
        boolean cancelled;

        Asked(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void granted(Slot slot) {
            granted++;
            loop.upstream.enter();
            loop.running.add(slot);
            loop.answered();
        }

        @Override
        public void refused(Refusal why) {
            refused++;
            loop.answered();
        }

        int answers() {
            return granted + refused + (cancelled ? 1 : 0);
        }
    }

    private static final class Counting implements ArbiterWatch {
        final AtomicInteger restarts = new AtomicInteger();

        @Override
        public void restarted(Throwable cause, int shed) {
            restarts.incrementAndGet();
        }

        @Override
        public void fellBackToFifo() {}

        @Override
        public void callerFailed(RuntimeException failure) {
            throw failure;
        }
    }

    private interface Meanwhile {
        void step(Arbiter arbiter, int step);
    }

    /** Runs the storm and checks what must hold after any storm. */
    private static Upstream storm(
            int limit, int cancelEvery, Function<Shares, Discipline> fair, Counting watch, Meanwhile meanwhile)
            throws InterruptedException {
        Upstream upstream = new Upstream();
        AtomicBoolean stop = new AtomicBoolean();
        List<Loop> loops = new ArrayList<>();
        Arbiter arbiter = new Arbiter(
                new ArbiterSettings(limit, 64, Duration.ofSeconds(10), 6, 4, 2),
                task -> loops.getFirst().execute(task),
                watch,
                fair);
        for (int i = 0; i < LOOPS; i++) {
            loops.add(new Loop(i, arbiter, upstream, stop, cancelEvery));
        }
        List<Thread> threads = loops.stream().map(Thread::new).toList();
        threads.forEach(Thread::start);
        for (int step = 0; upstream.answers.get() < LOOPS * JOBS_PER_LOOP || upstream.inFlight.get() > 0; step++) {
            arbiter.tick(System.nanoTime());
            ArbiterView view = arbiter.view(System.nanoTime());
            assertThat(view.waiting()).isLessThanOrEqualTo(64);
            meanwhile.step(arbiter, step);
            threads.getFirst().join(Duration.ofMillis(1));
            for (Loop loop : loops) {
                if (loop.failure != null) {
                    stop.set(true);
                    throw new AssertionError("loop failed", loop.failure);
                }
            }
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        for (Loop loop : loops) {
            assertThat(loop.failure).isNull();
            assertThat(loop.asked).hasSize(JOBS_PER_LOOP);
            assertThat(loop.asked.stream().filter(asked -> asked.answers() != 1))
                    .isEmpty();
        }
        ArbiterView end = arbiter.view(System.nanoTime());
        assertThat(end.inFlight()).isZero();
        assertThat(end.waiting()).isZero();
        assertThat(end.tenants()).allMatch(t -> t.held() == 0 && t.waiting() == 0);
        assertThat(upstream.inFlight.get()).isZero();
        return upstream;
    }

    @Test
    void inFlightNeverExceedsTheLimitAndEveryJobIsAnsweredOnce() throws InterruptedException {
        Upstream upstream = storm(7, 0, Drr::new, new Counting(), (arbiter, step) -> {});

        assertThat(upstream.most.get()).isLessThanOrEqualTo(7);
        assertThat(upstream.served.get()).isPositive();
    }

    @Test
    void cancelStormLosesNobody() throws InterruptedException {
        Upstream upstream = storm(3, 2, Drr::new, new Counting(), (arbiter, step) -> {});

        assertThat(upstream.most.get()).isLessThanOrEqualTo(3);
    }

    @Test
    void limitThatShrinksAndGrowsUnderLoadIsNeverExceeded() throws InterruptedException {
        Upstream upstream = storm(16, 8, Drr::new, new Counting(), (arbiter, step) -> {
            if (step % 50 == 0) {
                arbiter.resize(1 + step / 50 % 16, System.nanoTime());
            }
        });

        assertThat(upstream.most.get()).isLessThanOrEqualTo(16);
    }

    @Test
    void drainUnderLoadAnswersEveryone() throws InterruptedException {
        Upstream upstream = storm(4, 8, Drr::new, new Counting(), (arbiter, step) -> {
            if (step == 200) {
                arbiter.drain(System.nanoTime());
            }
        });

        assertThat(upstream.most.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void failuresUnderLoadLoseNeitherJobsNorSlots() throws InterruptedException {
        Counting watch = new Counting();
        AtomicInteger calls = new AtomicInteger();

        Upstream upstream = storm(4, 8, shares -> new FailsNowAndThen(new Drr(shares), calls), watch, (a, s) -> {});

        assertThat(upstream.most.get()).isLessThanOrEqualTo(4);
        assertThat(watch.restarts.get()).isPositive();
    }

    private record FailsNowAndThen(Discipline real, AtomicInteger calls) implements Discipline {
        private void mayFail() {
            if (calls.incrementAndGet() % 200 == 0) {
                throw new IllegalStateException("now and then");
            }
        }

        @Override
        public void file(Ticket ticket, boolean first) {
            mayFail();
            real.file(ticket, first);
        }

        @Override
        public @Nullable Ticket choose(long now, int inFlight, int limit) {
            mayFail();
            return real.choose(now, inFlight, limit);
        }

        @Override
        public void remove(Ticket ticket) {
            mayFail();
            real.remove(ticket);
        }

        @Override
        public @Nullable Ticket givesWayTo(Ticket newcomer) {
            return real.givesWayTo(newcomer);
        }

        @Override
        public void tick(long now) {
            real.tick(now);
        }

        @Override
        public long slotTimeMicros() {
            return real.slotTimeMicros();
        }
    }
}
