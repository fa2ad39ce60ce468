package dev.ron.proof.edge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.fill.Flight;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** A joiner races the last leaver and the worker: whoever is let in is told, once, and nobody is let into a dead flight. */
class FlightModelTest {
    private static final int RUNS = Boolean.getBoolean("ron.long") ? 12_000 : 800;

    /** What both the real flight and its broken twin can do. */
    interface Subject {
        boolean join(Told waiter);

        boolean leave(Told waiter);

        boolean begin();

        void land();
    }

    /** Counts how often it was told. */
    static final class Told implements Flight.Waiter<String> {
        final AtomicInteger times = new AtomicInteger();

        @Override
        public void told(Flight.Outcome<String> outcome) {
            times.incrementAndGet();
        }
    }

    static final class Real implements Subject {
        private final Flight<String> flight = new Flight<>();

        @Override
        public boolean join(Told waiter) {
            return flight.join(waiter);
        }

        @Override
        public boolean leave(Told waiter) {
            return flight.leave(waiter);
        }

        @Override
        public boolean begin() {
            return flight.begin();
        }

        @Override
        public void land() {
            flight.land(new Flight.Brought<>("it"));
        }
    }

    /** Broken: looks whether it is closed, then counts; the last leaver counts down, then closes. */
    static final class LooksThenCounts implements Subject {
        private volatile int count;
        private volatile boolean closed;
        private volatile boolean begun;
        private final Told[] inside = new Told[2];

        @Override
        public boolean join(Told waiter) {
            if (closed) {
                return false;
            }
            int now = count;
            inside[now] = waiter;
            count = now + 1;
            return true;
        }

        @Override
        public boolean leave(Told waiter) {
            int left = count - 1;
            count = left;
            if (left == 0 && !begun) {
                closed = true;
                return true;
            }
            return false;
        }

        @Override
        public boolean begin() {
            if (closed) {
                return false;
            }
            begun = true;
            return true;
        }

        @Override
        public void land() {
            closed = true;
            for (Told waiter : inside) {
                if (waiter != null) {
                    waiter.told(new Flight.Brought<>("it"));
                }
            }
        }
    }

    /** One run: the first waiter leaves while another joins and a worker takes the flight on. */
    static class Scenario implements Runnable {
        private final boolean broken;

        Scenario(boolean broken) {
            this.broken = broken;
        }

        @Override
        public void run() {
            Subject flight = broken ? new LooksThenCounts() : new Real();
            Told first = new Told();
            Told second = new Told();
            check(flight.join(first), "a new flight is open");
            Leaver leaver = new Leaver(flight, first);
            Joiner joiner = new Joiner(flight, second);
            Worker worker = new Worker(flight);
            Thread a = leaver;
            Thread b = joiner;
            Thread c = worker;
            a.start();
            b.start();
            c.start();
            join(a);
            join(b);
            join(c);
            check(!(leaver.closed && joiner.joined), "closed by the last leaver, and yet somebody was let in");
            check(!joiner.joined || worker.begun, "somebody waits for a fetch that nobody makes");
            check(second.times.get() == (joiner.joined ? 1 : 0), "whoever was let in is told once, others never");
            check(leaver.closed != worker.begun, "it is either made or given up");
            check(first.times.get() <= 1, "told twice");
        }
    }

    static final class Leaver extends Thread {
        private final Subject flight;
        private final Told waiter;
        volatile boolean closed;

        Leaver(Subject flight, Told waiter) {
            this.flight = flight;
            this.waiter = waiter;
        }

        @Override
        public void run() {
            closed = flight.leave(waiter);
        }
    }

    static final class Joiner extends Thread {
        private final Subject flight;
        private final Told waiter;
        volatile boolean joined;

        Joiner(Subject flight, Told waiter) {
            this.flight = flight;
            this.waiter = waiter;
        }

        @Override
        public void run() {
            joined = flight.join(waiter);
        }
    }

    static final class Worker extends Thread {
        private final Subject flight;
        volatile boolean begun;

        Worker(Subject flight) {
            this.flight = flight;
        }

        @Override
        public void run() {
            begun = flight.begin();
            if (begun) {
                flight.land();
            }
        }
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

    // join | last leave | begin, land  ->  let in and told once, or turned away from a closed flight
    @Test
    void whoeverIsLetInIsToldOnce() {
        Scenario scenario = new Scenario(false);
        scenario.run();
        Lincheck.runConcurrentTest(RUNS, scenario);
    }

    @Test
    void aTwinThatLooksBeforeItCountsIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(RUNS, new Scenario(true)))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
