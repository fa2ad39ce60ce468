package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.client.Target;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was purged stays away after a restart, in whatever order it was written down. */
@Timeout(120)
class IndexKeeperTest {
    private static final Deadline PATIENCE = Deadline.after(Clock.system(), Duration.ofMinutes(1));
    private static final Target ORIGIN = Target.of("https://origin.test/");
    private static final FillRouteConfig ROUTE = new FillRouteConfig(
            "o/",
            URI.create("https://origin.test/"),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());
    private static final AssetKey KEY = new AssetKey(ROUTE, ORIGIN, "/a");

    @TempDir
    Path folder;

    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("commit", 1, 4), supervisor, Meter.none());
    private final AssetIndex index = new AssetIndex(1 << 20, Clock.system());

    @AfterEach
    void stop() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, PATIENCE)).isTrue();
    }

    private static Stored stored() {
        return new Stored(
                Blake3.hash(new byte[0]),
                0,
                "text/plain",
                Optional.empty(),
                Optional.empty(),
                Instant.EPOCH,
                Instant.EPOCH,
                Freshness.NOTHING_SAID);
    }

    private IndexKeeper keeper() {
        return keeper(index);
    }

    private IndexKeeper keeper(AssetIndex followed) {
        return IndexKeeper.open(folder.resolve("index"), lane, followed, _ -> true);
    }

    private Map<String, Stored> afterARestart() throws IOException {
        Map<String, Stored> found = new LinkedHashMap<>();
        IndexJournal.open(folder.resolve("index"), found).close();
        return found;
    }

    // an object is put | it is purged, and that is written down before it  ->  it is not written down at all
    @Test
    void whatWasPurgedBeforeItWasWrittenDownIsNotWritten() throws IOException {
        try (IndexKeeper keeper = keeper()) {
            Stored object = stored();
            index.put(KEY, object, 0);
            index.purge(_ -> true, PATIENCE);
            keeper.forget(List.of(KEY.name()), PATIENCE);
            keeper.put(KEY.name(), object);
            lane.call(PATIENCE, () -> "written"); // so it is by now
        }
        assertThat(afterARestart()).isEmpty();
    }

    // an object that is written down | a purge, and before it looks, a fetch that began before it  ->  neither is left
    @Test
    void whatAPurgedFetchHadReplacedIsNotLeftEither() throws IOException {
        index.keep(keeper());
        index.put(KEY, stored(), 0);
        AtomicBoolean looked = new AtomicBoolean();
        index.purge(
                _ -> {
                    if (!looked.getAndSet(true)) {
                        index.put(KEY, stored(), 0);
                    }
                    return true;
                },
                PATIENCE);
        lane.call(PATIENCE, () -> "written"); // so it is by now
        index.close();
        assertThat(afterARestart()).isEmpty();
    }

    // more objects than there is memory for | a purge of all  ->  none is there after a restart
    @Test
    void whatFellOutOfMemoryIsPurgedToo() throws IOException {
        AssetIndex small = new AssetIndex(1000, Clock.system());
        small.keep(keeper(small));
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            small.put(new AssetKey(ROUTE, ORIGIN, path), stored(), 0);
            lane.call(PATIENCE, () -> "written"); // so it is by now
        }
        assertThat(small.all()).hasSizeLessThan(4);
        small.purge(_ -> true, PATIENCE);
        small.close();
        assertThat(afterARestart()).isEmpty();
    }

    // a file of more than there is memory for now | a purge of all  ->  none is there after a restart
    @Test
    void whatMemoryNeverTookIsPurgedToo() throws IOException {
        index.keep(keeper());
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            index.put(new AssetKey(ROUTE, ORIGIN, path), stored(), 0);
            lane.call(PATIENCE, () -> "written"); // so it is by now
        }
        index.close();
        AssetIndex small = new AssetIndex(1000, Clock.system());
        small.keep(keeper(small));
        assertThat(small.all()).hasSizeLessThan(4);
        small.purge(_ -> true, PATIENCE);
        small.close();
        assertThat(afterARestart()).isEmpty();
    }

    // an index that cannot be read at this start | objects come, one is purged  ->  the next start knows the others
    @Test
    void anIndexThatCannotBeReadIsSetAside() throws IOException {
        Files.createDirectories(folder.resolve("index/in the way"));
        index.keep(keeper());
        index.put(KEY, stored(), 0);
        index.put(new AssetKey(ROUTE, ORIGIN, "/b"), stored(), 0);
        index.purge(KEY.name()::equals, PATIENCE);
        index.close();
        assertThat(afterARestart()).containsOnlyKeys(ORIGIN + "/b");
        assertThat(folder.resolve("index.unreadable")).isDirectory();
    }

    // no index can be written | a purge  ->  it takes effect, and whoever purges is told that it may not last
    @Test
    void aPurgeThatCannotBeWrittenDownSaysSo() {
        index.keep(IndexKeeper.open(folder.resolve("none/index"), lane, index, _ -> true));
        index.put(KEY, stored(), 0);
        assertThatThrownBy(() -> index.purge(_ -> true, PATIENCE)).hasMessageContaining("back after a restart");
        assertThat(index.get(KEY)).isNull();
        index.close();
    }

    // a purge that could not be written down | another that finds nothing more  ->  it writes down what the
    // first could not
    @Test
    void aPurgeThatFailedIsMadeGoodByTheNext() throws Exception {
        index.keep(keeper());
        index.put(KEY, stored(), 0);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        lane.call(PATIENCE, () -> "the object is written");
        lane.submit(() -> {
            busy.countDown();
            release.await();
            return "";
        });
        busy.await();
        while (!lane.submit(() -> "").answered()) {
            // one more waits; who finds no place is answered at once
        }
        assertThatThrownBy(() -> index.purge(_ -> true, PATIENCE)).isInstanceOf(RonException.class);
        assertThat(afterARestart()).hasSize(1);
        release.countDown();
        Eventually.await("there is room", () -> lane.jobs().depth() == 0);
        assertThat(index.purge(_ -> true, PATIENCE)).isZero();
        index.close();
        assertThat(afterARestart()).isEmpty();
    }
}
