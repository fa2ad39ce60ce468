package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.topology.Topology;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Received and missed add up to published, whatever the pace of the reader. */
class BroadcastLawsTest {

    @Property
    void lagIsExactForAnyPace(
            @ForAll @IntRange(min = 2, max = 6) int capacity,
            @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 9) Integer> bursts) {
        Broadcast<Integer> ring = new Broadcast<>(Topology.broadcast("events", capacity));
        try (var reader = ring.subscribe("r")) {
            long published = 0;
            long accounted = 0;
            for (int burst : bursts) {
                for (int i = 0; i < burst; i++) {
                    ring.publish((int) published++);
                }
                for (var got = reader.tryReceive(); got.isPresent(); got = reader.tryReceive()) {
                    switch (got.get()) {
                        case Received.Item<Integer>(long seq, Integer value) -> {
                            assertThat(seq).isEqualTo(accounted).isEqualTo((long) value);
                            accounted++;
                        }
                        case Received.Lagged<Integer>(long missed) -> {
                            assertThat(missed).isEqualTo(published - accounted - capacity);
                            accounted += missed;
                        }
                        case Received.Closed<Integer>() -> throw new AssertionError("not closed");
                    }
                }
                assertThat(accounted).isEqualTo(published);
            }
        }
    }
}
