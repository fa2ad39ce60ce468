package dev.ron.edge.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.pmtiles.LeafyArchive;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mount reads the header and the root; what is wrong beyond them is found in the background, and is the pack's end. */
@Timeout(60)
class PackCheckTest {
    private static final Deadline PATIENCE = Deadline.after(Clock.system(), Duration.ofMinutes(1));

    @TempDir
    Path folder = Path.of("");

    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("verify", 1, 16), supervisor, Meter.none());
    private final Mounts mounts = new Mounts();
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void stop() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, PATIENCE)).isTrue();
        mounts.close();
    }

    private PackFolder packs() {
        return new PackFolder(folder, PackOpener.DEFAULT, mounts, Clock.system());
    }

    private PackCheck check(PackCheck.Depth depth) {
        return new PackCheck(mounts, lane, depth, _ -> looks.incrementAndGet(), Clock.system(), () -> false);
    }

    private void serves() {
        try (Lease lease = mounts.lease("world").orElseThrow()) {
            assertThat(lease.pack().tile(LeafyArchive.FIRST)).isPresent();
        }
    }

    private void isTakenOut(PackCheck check) {
        Eventually.await(
                "taken out",
                () -> mounts.lease("world").isEmpty() && mounts.fault("world").isPresent());
        PackError cause = mounts.fault("world").orElseThrow();
        assertThat(cause.fault()).isEqualTo(PackFault.BAD_DIRECTORY);
        assertThat(cause.detail()).contains("world.pmtiles");
        assertThat(check.facts("world")).isEmpty();
    }

    // a mount | a tile of a good leaf | the walk comes to a bad one  ->  served, then taken out with that cause
    @Test
    void aPackWithABadLeafIsServedUntilTheWalkFindsIt() throws IOException {
        LeafyArchive.writeSpoiled(folder.resolve("world.pmtiles"));
        packs().follow();
        serves();
        PackCheck check = check(PackCheck.Depth.DIRECTORY);
        check.schedule();
        isTakenOut(check);
    }

    // a good pack is looked through | another is renamed over it  ->  that one is looked through as well
    @Test
    void whatReplacesAGoodPackIsLookedThroughToo() throws IOException {
        Path path = folder.resolve("world.pmtiles");
        LeafyArchive.write(path);
        PackFolder packs = packs();
        packs.follow();
        PackCheck check = check(PackCheck.Depth.FULL);
        check.schedule();
        String digest = Blake3.hash(Files.readAllBytes(path)).hex();
        Eventually.await(
                "its digest",
                () -> check.facts("world").flatMap(PackCheck.Facts::digest).equals(Optional.of(digest)));
        assertThat(check.facts("world").orElseThrow().checked()).isTrue();
        assertThat(check.facts("world").orElseThrow().tiles()).isEqualTo(LeafyArchive.TILES);
        assertThat(looks).hasValue(1);

        Path next = folder.resolve("next");
        LeafyArchive.writeSpoiled(next);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        assertThat(packs.follow()).isEqualTo(1);
        serves();
        assertThat(check.facts("world"))
                .as("what was found about the one before")
                .isEmpty();
        check.schedule();
        isTakenOut(check);
    }

    @Test
    void whereOnlyTheHeaderIsLookedAtABadLeafStays() throws IOException {
        LeafyArchive.writeSpoiled(folder.resolve("world.pmtiles"));
        packs().follow();
        PackCheck check = check(PackCheck.Depth.HEADER);
        check.schedule();
        serves();
        assertThat(check.facts("world").orElseThrow().checked()).isFalse();
        assertThat(looks).hasValue(0);
    }
}
