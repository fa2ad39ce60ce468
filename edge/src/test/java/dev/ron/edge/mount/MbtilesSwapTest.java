package dev.ron.edge.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.mbtiles.MbtilesLimits;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@ExtendWith(NoLeaks.class)
class MbtilesSwapTest {
    private static final int VERSIONS = 4;
    private static final int SWAPS = 100;

    @TempDir
    Path folder = Path.of("");

    /** Each version is of its own length, so that a file's size tells which one it is. */
    private Path write(int version) throws Exception {
        Map<TileCoord, byte[]> tiles = new HashMap<>();
        for (int x = 0; x < 8; x++) {
            byte[] bytes = new byte[3000 * (version + 1)];
            bytes[0] = (byte) version;
            tiles.put(new TileCoord(3, x, x), bytes);
        }
        Path path = folder.resolve("version-" + version);
        TestMbtiles.write(path, "png", tiles);
        return path;
    }

    // mount: open the file, open the connections by name | rename of another over it, at any moment
    //   ->  all connections of a pack are to its file, or the pack is not mounted and the next look mounts it
    @Test
    void aPackRenamedWhileItIsMountedIsNeverHalfOfEach() throws Exception {
        List<Path> versions = new ArrayList<>();
        Map<Long, Integer> bySize = new HashMap<>();
        for (int version = 0; version < VERSIONS; version++) {
            versions.add(write(version));
            bySize.put(Files.size(versions.get(version)), version);
        }
        assertThat(bySize).hasSize(VERSIONS);
        Path packs = Files.createDirectories(folder.resolve("packs"));
        Path path = packs.resolve("world.mbtiles");
        Files.copy(versions.get(0), path);
        CyclicBarrier start = new CyclicBarrier(2);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Random random = new Random(1);
        int retried = 0;
        try (Mounts mounts = new Mounts()) {
            PackFolder follower = new PackFolder(packs, PackOpener.DEFAULT, mounts, Clock.system());
            follower.follow();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    while (!over.get()) {
                        checkAllConnections(mounts, bySize);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            for (int swap = 1; swap <= SWAPS; swap++) {
                replace(versions.get(2 * swap % VERSIONS), path);
                Path next = Files.copy(versions.get((2 * swap + 1) % VERSIONS), packs.resolve("next"));
                long delay = random.nextLong(3_000_000);
                Thread renamer = Thread.ofPlatform().start(() -> renameAfter(start, delay, next, path));
                start.await(30, TimeUnit.SECONDS);
                follower.follow();
                renamer.join();
                retried += mounts.fault("world")
                                .map(PackError::fault)
                                .filter(PackFault.OVERWRITTEN::equals)
                                .isPresent()
                        ? 1
                        : 0;
                follower.follow();
                assertThat(mounts.faults()).isEmpty();
                assertThat(checkAllConnections(mounts, bySize)).isEqualTo((2 * swap + 1) % VERSIONS);
            }
            over.set(true);
            reader.join();
        }
        assertThat(failure.get()).isNull();
        System.out.println("MBTiles renamed while mounted: " + retried + " of " + SWAPS + " tried again");
    }

    private static void renameAfter(CyclicBarrier start, long nanos, Path next, Path path) {
        try {
            start.await(30, TimeUnit.SECONDS);
            long until = System.nanoTime() + nanos;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void replace(Path version, Path path) throws Exception {
        Path next = Files.copy(version, folder.resolve("next"));
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Connections are used in turn: as many looks as there are connections meet each of them. */
    private static int checkAllConnections(Mounts mounts, Map<Long, Integer> bySize) {
        try (Lease lease = mounts.lease("world").orElseThrow()) {
            int version = bySize.getOrDefault(lease.pack().file().size(), -1);
            for (int i = 0; i < 2 * MbtilesLimits.DEFAULT.readers(); i++) {
                byte[] tile = lease.pack()
                        .tile(new TileCoord(3, i % 8, i % 8))
                        .orElseThrow()
                        .bytes();
                if (tile[0] != version) {
                    throw new AssertionError("a pack of version " + version + " answers with " + tile[0]);
                }
            }
            return version;
        }
    }
}
