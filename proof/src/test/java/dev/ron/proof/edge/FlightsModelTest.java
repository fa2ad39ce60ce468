package dev.ron.proof.edge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.fill.Flight;
import dev.ron.edge.fill.Flights;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The flights of one key while one of them ends: of those who come, one opens the next, and all others join that. */
class FlightsModelTest {
    private static final int RUNS = Boolean.getBoolean("ron.long") ? 12_000 : 800;
    private static final String KEY = "key";

    /** What both the real flights and their broken twin can do. */
    interface Subject {
        /** The flight that was joined, and whether it is a new one. */
        Seat join(Told waiter);

        void takeOut(Flight<String> flight);

        default void land(Flight<String> flight) {
            takeOut(flight);
            flight.land(new Flight.Brought<>("it"));
        }
    }

    record Seat(Flight<String> flight, boolean first) {}

    /** Counts how often it was told. */
    static final class Told implements Flight.Waiter<String> {
        final AtomicInteger times = new AtomicInteger();

        @Override
        public void told(Flight.Outcome<String> outcome) {
            times.incrementAndGet();
        }
    }

    static final class Real implements Subject {
        private final Flights<String, String> flights = new Flights<>();

        @Override
        public Seat join(Told waiter) {
            return switch (flights.join(KEY, flight -> flight.join(waiter))) {
                case Flights.First<String>(Flight<String> flight) -> new Seat(flight, true);
                case Flights.Coalesced<String>(Flight<String> flight) -> new Seat(flight, false);
            };
        }

        @Override
        public void takeOut(Flight<String> flight) {
            flights.forget(KEY, flight);
        }

        @Override
        public void land(Flight<String> flight) {
            flights.land(KEY, flight, new Flight.Brought<>("it"));
        }
    }

    /** Broken: who ends a flight takes out whatever is under its key. */
    static final class RemovesByKey implements Subject {
        private final Map<String, Flight<String>> flights = new ConcurrentHashMap<>();

        @Override
        public Seat join(Told waiter) {
            while (true) {
                Flight<String> flight = flights.get(KEY);
                if (flight == null) {
                    Flight<String> fresh = new Flight<>();
                    fresh.join(waiter);
                    if (flights.putIfAbsent(KEY, fresh) == null) {
                        return new Seat(fresh, true);
                    }
                } else if (flight.join(waiter)) {
                    return new Seat(flight, false);
                } else {
                    flights.remove(KEY, flight);
                }
            }
        }

        @Override
        public void takeOut(Flight<String> flight) {
            flights.remove(KEY);
        }
    }

    /** One run: the first waiter leaves while another joins and a worker takes the flight on; then a third joins. */
    static final class Scenario implements Runnable {
        private final boolean broken;

        Scenario(boolean broken) {
            this.broken = broken;
        }

        @Override
        public void run() {
            Subject flights = broken ? new RemovesByKey() : new Real();
            Told first = new Told();
            Told second = new Told();
            Told third = new Told();
            Flight<String> old = flights.join(first).flight();
            Joiner joiner = new Joiner(flights, second);
            Thread a = new Thread(() -> {
                if (old.leave(first)) {
                    flights.takeOut(old);
                }
            });
            Thread b = joiner;
            Thread c = new Thread(() -> {
                if (old.begin()) {
                    flights.land(old);
                }
            });
            a.start();
            b.start();
            c.start();
            join(a);
            join(b);
            join(c);
            Seat last = flights.join(third);
            Seat middle = Objects.requireNonNull(joiner.seat);
            check((middle.first() ? 1 : 0) + (last.first() ? 1 : 0) == 1, "one fetch is made, by whoever came first");
            flights.land(last.flight());
            check(second.times.get() == 1 && third.times.get() == 1, "both are told, once");
        }
    }

    static final class Joiner extends Thread {
        private final Subject flights;
        private final Told waiter;
        volatile @Nullable Seat seat;

        Joiner(Subject flights, Told waiter) {
            this.flights = flights;
            this.waiter = waiter;
        }

        @Override
        public void run() {
            seat = flights.join(waiter);
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

    // last leave, take out | join | begin, land  ->  this joiner or the next one opens a flight, never both
    @Test
    void ofAllWhoComeOneOpensTheNextFlight() {
        Scenario scenario = new Scenario(false);
        scenario.run();
        Lincheck.runConcurrentTest(RUNS, scenario);
    }

    @Test
    void aTwinThatRemovesByKeyOnlyIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(RUNS, new Scenario(true)))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
