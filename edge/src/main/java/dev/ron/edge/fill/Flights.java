package dev.ron.edge.fill;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The fetches under way, one for each key; besides those that nobody may join any more. */
public final class Flights<K, R> {
    private final Map<K, Flight<R>> flights = new ConcurrentHashMap<>();
    private final Set<Flight<R>> apart = ConcurrentHashMap.newKeySet();
    private final Waiters landings = new Waiters();

    /** What became of a request to join. */
    public sealed interface Joined<R> {}

    /** It waits for a flight that was there already. */
    public record Coalesced<R>(Flight<R> flight) implements Joined<R> {}

    /** It is the first of a new flight, which now has to be launched. */
    public record First<R>(Flight<R> flight) implements Joined<R> {}

    /** Joins the flight of a key, or opens one; {@code enter} adds the caller and says whether that was possible. */
    public Joined<R> join(K key, Predicate<Flight<R>> enter) {
        while (true) {
            Flight<R> flight = flights.get(key);
            if (flight == null) {
                Flight<R> fresh = new Flight<>();
                if (!enter.test(fresh)) {
                    throw new IllegalStateException("a new flight is open");
                }
                if (flights.putIfAbsent(key, fresh) == null) {
                    return new First<>(fresh);
                }
                // Another was faster; the caller was never visible in ours.
            } else if (enter.test(flight)) {
                return new Coalesced<>(flight);
            } else {
                flights.remove(key, flight); // closed: whoever closed it is about to remove it too
            }
        }
    }

    /** Ends a flight; first it leaves the map, so that who comes later looks again at what there is. */
    public void land(K key, Flight<R> flight, Flight.Outcome<R> outcome) {
        takeOut(key, flight);
        flight.land(outcome);
        landings.signalAll();
    }

    /** Waits until none is under way; false if the deadline came first. */
    boolean awaitLanded(Deadline deadline) {
        return Boolean.TRUE.equals(landings.await("flights", deadline, () -> size() == 0 ? Boolean.TRUE : null));
    }

    /** Has no one join these any more: who waits goes on waiting, who comes later opens another. */
    void setApart(Predicate<K> keys) {
        for (K key : flights.keySet()) {
            if (keys.test(key)) {
                // In one step: what is under way is never in neither place, and whoever ends it looks there last.
                flights.computeIfPresent(key, (_, flight) -> {
                    apart.add(flight);
                    return null;
                });
            }
        }
    }

    private void takeOut(K key, Flight<R> flight) {
        flights.remove(key, flight);
        apart.remove(flight);
    }

    /** Brings all down. */
    void failAll(RonException why) {
        flights.forEach((key, flight) -> fail(key, flight, why));
        apart.removeIf(flight -> {
            flight.land(new Flight.Failed<>(why));
            return true;
        });
        landings.signalAll();
    }

    /** Forgets a flight that nobody waits for and that will not be made. */
    public void forget(K key, Flight<R> flight) {
        takeOut(key, flight);
        landings.signalAll();
    }

    public void fail(K key, Flight<R> flight, RonException why) {
        land(key, flight, new Flight.Failed<>(why));
    }

    public int size() {
        return flights.size() + apart.size();
    }

    /** A sum over all flights. */
    public int sum(Function<Flight<R>, Integer> of) {
        return Stream.concat(flights.values().stream(), apart.stream())
                .mapToInt(of::apply)
                .sum();
    }
}
