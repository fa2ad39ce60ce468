package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlightsTest {
    // a fetch under way | two purges at once set it apart  ->  it is under way still, and its waiter is told of the end
    @Test
    void aFlightThatTwoPurgesSetApartIsNotLost() {
        Flights<String, String> flights = new Flights<>();
        List<Flight.Outcome<String>> told = new ArrayList<>();
        flights.join("a", flight -> flight.join(told::add));
        flights.setApart(_ -> {
            flights.setApart(_ -> true);
            return true;
        });
        assertThat(flights.size()).isEqualTo(1);
        assertThat(flights.join("a", flight -> flight.join(_ -> {}))).isInstanceOf(Flights.First.class);
        flights.failAll(new RonException(Code.DRAINING, "draining", "the service is stopping"));
        assertThat(told).hasSize(1);
        assertThat(flights.size()).isZero();
    }
}
