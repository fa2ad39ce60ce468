package dev.ron.edge.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Crash;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One thread looks through all packs: none of them can keep it. */
@Timeout(60)
@ExtendWith(NoLeaks.class)
class EndlessPackTest {
    private static final Deadline LONG = Deadline.after(Clock.system(), Duration.ofMinutes(5));

    private final Path folder;
    private final PackFolder packs;
    private final AtomicLong now = new AtomicLong();
    private final Clock clock = new MovableClock() {
        @Override
        public long nanos() {
            return now.get();
        }
    };
    private final List<Crash> crashes = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor =
            new Supervisor("svc-edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, crashes::add);
    private final Lane lane = new Lane(Topology.lane("verify", 1, 16), supervisor, Meter.none());
    private final Mounts mounts = new Mounts();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch midway = new CountDownLatch(1);
    private final PackCheck check = new PackCheck(mounts, lane, PackCheck.Depth.FULL, _ -> {}, clock, () -> {
        if (asked.incrementAndGet() > 100) {
            midway.countDown();
        }
        return stopped.get();
    });

    EndlessPackTest(@TempDir Path folder) {
        this.folder = folder;
        this.packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, clock);
    }

    @AfterEach
    void stop() {
        stopped.set(true);
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, LONG)).isTrue();
        mounts.close();
        assertThat(crashes).isEmpty();
    }

    /** Begins to look at a view whose rows do not end. */
    private Path beginWithoutEnd() throws Exception {
        Path path = folder.resolve("endless.mbtiles");
        TestMbtiles.writeEndless(path);
        follow();
        assertThat(midway.await(30, TimeUnit.SECONDS)).isTrue();
        return path;
    }

    private void follow() {
        packs.follow();
        check.schedule();
    }

    private void checkAnother() throws Exception {
        TestMbtiles.write(folder.resolve("next.mbtiles"), "png", Map.of(new TileCoord(0, 0, 0), new byte[] {1}));
        follow();
        lane.call(LONG, () -> true);
        assertThat(check.facts("next"))
                .hasValueSatisfying(facts -> assertThat(facts.checked()).isTrue());
    }

    // a look at rows without end | the file is removed  ->  the look ends, and the next pack has its turn
    @Test
    void aPackThatIsGoneIsLookedAtNoFurther() throws Exception {
        Files.delete(beginWithoutEnd());
        checkAnother();
        assertThat(mounts.names()).containsExactly("next");
        assertThat(check.facts("endless")).isEmpty();
    }

    // a look at rows without end | an hour  ->  the look ends, and the pack is served unchecked
    @Test
    void aLookEndsAfterAnHour() throws Exception {
        beginWithoutEnd();
        now.addAndGet(Duration.ofHours(1).toNanos());
        checkAnother();
        assertThat(mounts.names()).containsExactly("endless", "next");
        assertThat(check.facts("endless"))
                .hasValueSatisfying(facts -> assertThat(facts.checked()).isFalse());
    }
}
