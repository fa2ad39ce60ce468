package dev.ron.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final VirtualClock clock = new VirtualClock();
    private final Readiness readiness = new Readiness(clock);

    @Test
    void keysAreMissingUntilMet() {
        Key bound = readiness.require("listener_bound", Need.READ);
        assertThat(readiness.view().ready()).isFalse();
        assertThat(readiness.view().missing()).extracting(KeyState::cause).containsExactly("not yet");
        bound.met();
        assertThat(readiness.view().ready()).isTrue();
        assertThat(readiness.view().writeReady()).isTrue();
    }

    @Test
    void aMissingWriteKeyDegradesAndReadsGoOn() {
        readiness.require("listener_bound", Need.READ).met();
        readiness.require("storage_open", Need.WRITE).unmet("disk full");
        ReadyView view = readiness.view();
        assertThat(view.ready()).isTrue();
        assertThat(view.writeReady()).isFalse();
        assertThat(view.degraded()).isTrue();
        assertThat(ReadyDocument.readStatus(view)).isEqualTo(200);
        assertThat(ReadyDocument.writeStatus(view)).isEqualTo(503);
    }

    @Test
    void aDependencyComesBackAfterThreeGoodSamples() {
        AtomicBoolean up = new AtomicBoolean(true);
        readiness.dependency("kms", Need.WRITE, up::get, "no answer");
        assertThat(readiness.view().writeReady()).as("nobody has looked yet").isFalse();
        second();
        assertThat(readiness.view().writeReady()).as("first look").isTrue();
        up.set(false);
        second();
        assertThat(readiness.view().missing()).extracting(KeyState::name).containsExactly("dep:kms");
        up.set(true);
        second();
        second();
        assertThat(readiness.view().writeReady()).as("two good samples").isFalse();
        second();
        assertThat(readiness.view().writeReady()).as("three good samples").isTrue();
    }

    @Test
    void aBadSampleStartsTheCountAgain() {
        AtomicBoolean up = new AtomicBoolean(false);
        readiness.dependency("kms", Need.WRITE, up::get, "no answer");
        for (boolean good : new boolean[] {false, true, true, false, true, true}) {
            up.set(good);
            second();
            assertThat(readiness.view().writeReady()).isFalse();
        }
        second();
        assertThat(readiness.view().writeReady()).isTrue();
    }

    @Test
    void aQueueMayBeFullForAMomentButNotForTwoSeconds() {
        Mailbox<Integer> work = new Mailbox<>(Topology.mailbox("work", 10));
        readiness.queue(work, Need.WRITE);
        second();
        for (int i = 0; i < 9; i++) {
            work.trySend(i);
        }
        second();
        second();
        assertThat(readiness.view().writeReady()).isTrue();
        second();
        assertThat(readiness.view().missing())
                .containsExactly(new KeyState("queue:work", Need.WRITE, false, "9 of 10 places taken"));
        work.tryReceive();
        second();
        second();
        second();
        assertThat(readiness.view().writeReady()).isTrue();
    }

    @Test
    void sinceIsTheLastChangeOfTheVerdict() {
        Key key = readiness.require("listener_bound", Need.READ);
        Instant start = clock.now();
        second();
        assertThat(readiness.view().since()).isEqualTo(start);
        key.met();
        assertThat(readiness.view().since()).isEqualTo(start.plusSeconds(1));
        second();
        assertThat(readiness.view().since()).isEqualTo(start.plusSeconds(1));
    }

    /** For any states of any keys, reads fail only while writes fail, and degraded is exactly the gap between them. */
    @Property
    void readsNeverFailBeforeWrites(@ForAll("states") List<KeyState> states) {
        ReadyView view = ReadyView.of(states, Instant.EPOCH);
        assertThat(view.writeReady() && !view.ready()).isFalse();
        assertThat(view.degraded()).isEqualTo(view.ready() && !view.writeReady());
        assertThat(view.missing().isEmpty()).isEqualTo(view.writeReady());
    }

    /** A node is never readier than the worst of its services. */
    @Property
    void aNodeIsAsReadyAsItsWorstService(@ForAll("states") List<KeyState> a, @ForAll("states") List<KeyState> b) {
        ReadyView one = ReadyView.of(a, Instant.EPOCH);
        ReadyView two = ReadyView.of(b, Instant.EPOCH);
        ReadyView node = ReadyView.combined(ReadyView.of(List.of(), Instant.EPOCH), Map.of("x", one, "y", two));
        assertThat(node.ready()).isEqualTo(one.ready() && two.ready());
        assertThat(node.writeReady()).isEqualTo(one.writeReady() && two.writeReady());
    }

    @Provide
    Arbitrary<List<KeyState>> states() {
        return Combinators.combine(
                        Arbitraries.of("a", "b", "c", "dep:d"), Arbitraries.of(Need.class), Arbitraries.of(true, false))
                .as((name, need, met) -> new KeyState(name, need, met, ""))
                .list()
                .ofMaxSize(6);
    }

    private void second() {
        clock.advance(Duration.ofSeconds(1));
        readiness.sample();
    }
}
