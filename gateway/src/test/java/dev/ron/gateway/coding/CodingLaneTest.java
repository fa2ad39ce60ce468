package dev.ron.gateway.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many bodies may be coded at once, of all and of one tenant. */
class CodingLaneTest {
    private final Supervisor supervisor =
            new Supervisor("test", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("coding", 1, 64), supervisor, Meter.none());
    private final CodingLane coding = new CodingLane(lane);

    @AfterEach
    void stop() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofSeconds(30)));
    }

    private static TenantKey tenant(int number) {
        return new TenantKey("", "tenant" + number);
    }

    private List<CodingLane.Place> enterAll(TenantKey tenant) {
        List<CodingLane.Place> places = new ArrayList<>();
        for (Optional<CodingLane.Place> next = coding.enter(tenant); next.isPresent(); next = coding.enter(tenant)) {
            places.add(next.get());
        }
        return places;
    }

    @Test
    void oneTenantHasAtMostAnEighthAndAllTogetherNoMoreThanTheLaneHoldsRoomFor() {
        List<CodingLane.Place> first = enterAll(tenant(0));
        assertThat(first).hasSize(8);
        for (int i = 1; i < 8; i++) {
            assertThat(enterAll(tenant(i))).hasSize(8);
        }
        assertThat(coding.enter(tenant(8))).as("the lane is full").isEmpty();
        first.getFirst().leave();
        assertThat(enterAll(tenant(8))).hasSize(1);
        assertThat(enterAll(tenant(0))).isEmpty();
    }

    @Test
    void aPlaceThatWasLeftCanBeTakenAgain() {
        for (int round = 0; round < 100; round++) {
            List<CodingLane.Place> places = enterAll(tenant(1));
            assertThat(places).hasSize(8);
            places.forEach(CodingLane.Place::leave);
        }
    }
}
