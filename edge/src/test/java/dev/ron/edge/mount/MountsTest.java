package dev.ron.edge.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

@ExtendWith(NoLeaks.class)
class MountsTest {
    @TempDir
    Path folder = Path.of("");

    /** Version {@code n} of a pack: each tile begins with the version and ends with a digest of the rest. */
    private void write(String name, int version) throws IOException {
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(folder.resolve(name + ".pmtiles"), spec)) {
            Random random = new Random(version);
            for (int x = 0; x < 16; x++) {
                byte[] body = new byte[200 + random.nextInt(2000)];
                random.nextBytes(body);
                body[0] = (byte) version;
                byte[] digest = Blake3.hash(body).hex().getBytes(StandardCharsets.US_ASCII);
                byte[] tile = Arrays.copyOf(body, body.length + digest.length);
                System.arraycopy(digest, 0, tile, body.length, digest.length);
                writer.add(new TileCoord(4, x, x), tile);
            }
            writer.finish();
        }
    }

    private static int checkedVersion(byte[] tile) {
        int end = tile.length - Digest.HEX_CHARS;
        String said = new String(tile, end, Digest.HEX_CHARS, StandardCharsets.US_ASCII);
        if (!Blake3.hash(Arrays.copyOf(tile, end)).hex().equals(said)) {
            throw new AssertionError("a tile of mixed bytes");
        }
        return tile[0];
    }

    // lease + two reads | rename + mount of the next version, 100 times   ->  each lease sees one version, whole
    @Test
    void aPackSwappedUnderLoadIsSeenOldOrNewAndNeverMixed() throws Exception {
        List<Path> versions = new ArrayList<>();
        for (int version = 0; version < 7; version++) {
            write("world", version);
            versions.add(Files.copy(folder.resolve("world.pmtiles"), folder.resolve("version-" + version)));
        }
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong reads = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, Clock.system());
            packs.follow();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(Thread.ofPlatform().start(() -> {
                    try {
                        while (!stop.get()) {
                            readTwice(mounts);
                            reads.incrementAndGet();
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
            for (int swap = 1; swap <= 100; swap++) {
                // Copied aside first: the swap itself is the rename.
                Path next = Files.copy(versions.get(swap % versions.size()), folder.resolve("next"));
                Files.move(next, folder.resolve("world.pmtiles"), StandardCopyOption.ATOMIC_MOVE);
                assertThat(packs.follow()).isEqualTo(1);
            }
            stop.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(failure.get()).isNull();
            assertThat(reads.get()).isGreaterThan(100);
            try (Lease lease = mounts.lease("world").orElseThrow()) {
                byte[] tile =
                        lease.pack().tile(new TileCoord(4, 3, 3)).orElseThrow().bytes();
                assertThat(checkedVersion(tile)).isEqualTo(100 % 7);
            }
        }
    }

    private static void readTwice(Mounts mounts) {
        try (Lease lease = mounts.lease("world").orElseThrow()) {
            int first = checkedVersion(
                    lease.pack().tile(new TileCoord(4, 3, 3)).orElseThrow().bytes());
            int second = checkedVersion(
                    lease.pack().tile(new TileCoord(4, 9, 9)).orElseThrow().bytes());
            if (first != second) {
                throw new AssertionError("one lease saw versions " + first + " and " + second);
            }
        }
    }

    @Test
    void aReplacedPackClosesWithItsLastLease() throws IOException {
        write("world", 1);
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, Clock.system());
            packs.follow();
            Lease old = mounts.lease("world").orElseThrow();
            write("world", 2);
            packs.follow();
            byte[] still = old.pack().tile(new TileCoord(4, 0, 0)).orElseThrow().bytes();
            assertThat(checkedVersion(still)).isEqualTo(1);
            old.close();
            old.close();
            PackError closed =
                    catchThrowableOfType(PackError.class, () -> old.pack().tile(new TileCoord(4, 0, 0)));
            assertThat(closed.fault()).isEqualTo(PackFault.UNREADABLE);
            assertThat(mounts.lease("world")).hasValueSatisfying(Lease::close);
        }
    }

    // 50 zeros over a mounted file, met by a read | whole again  ->  back when it has stood still for five seconds
    @Test
    void anOverwrittenPackIsUnmountedWithItsCauseAndMountedAgainWhenWhole() throws IOException {
        write("world", 1);
        Path path = folder.resolve("world.pmtiles");
        byte[] whole = Files.readAllBytes(path);
        MovedClock clock = new MovedClock();
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, clock);
            packs.follow();
            Files.write(path, new byte[50]);
            try (Lease lease = mounts.lease("world").orElseThrow()) {
                PackError error =
                        catchThrowableOfType(PackError.class, () -> lease.pack().tile(new TileCoord(4, 0, 0)));
                assertThat(error.reason()).isEqualTo("pack_overwritten");
                mounts.unmount("world", lease, error);
            }
            assertThat(mounts.lease("world")).isEmpty();
            packs.follow();
            assertThat(mounts.fault("world").map(PackError::fault)).contains(PackFault.OVERWRITTEN);
            clock.pass(5);
            packs.follow();
            assertThat(mounts.fault("world").map(PackError::fault)).contains(PackFault.TRUNCATED);
            Files.write(path, whole);
            packs.follow();
            assertThat(mounts.lease("world")).hasValueSatisfying(Lease::close);
            assertThat(mounts.faults()).isEmpty();
        }
    }

    // the first half of another pack of the same size over a mounted one, which nobody reads | a pause, then the rest
    //   ->  it is out all the while, and in again five seconds after the last byte
    @Test
    void aPackThatIsWrittenInPlaceIsOutUntilNobodyWritesToItAnyMore() throws IOException {
        write("world", 1);
        Path path = folder.resolve("world.pmtiles");
        byte[] first = Files.readAllBytes(path);
        byte[] second = first.clone();
        second[second.length - 1] ^= 1;
        MovedClock clock = new MovedClock();
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, clock);
            packs.follow();
            for (int half = 0; half < 2; half++) {
                try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                    int from = half * second.length / 2;
                    file.write(ByteBuffer.wrap(second, from, second.length / 2), from);
                }
                Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000 + half));
                assertThat(packs.follow()).as("news, and later the same again").isEqualTo(1 - half);
                assertThat(mounts.names()).isEmpty();
                assertThat(mounts.fault("world").orElseThrow().detail())
                        .contains("overwritten while mounted", "for 5 s");
                clock.pass(4);
                assertThat(packs.follow()).isZero();
            }
            clock.pass(1);
            assertThat(packs.follow()).isEqualTo(1);
            assertThat(mounts.names()).containsExactly("world");
            assertThat(mounts.faults()).isEmpty();
        }
    }

    private static final class MovedClock extends MovableClock {
        private long now;

        void pass(int seconds) {
            now += Duration.ofSeconds(seconds).toNanos();
        }

        @Override
        public long nanos() {
            return now;
        }
    }

    // a database with a journal beside it | the journal goes, the database stays as it is  ->  mounted at the next try
    @Test
    void aCauseOutsideOfTheFileIsLookedAtAgainNowAndThen() throws Exception {
        MovedClock clock = new MovedClock();
        TestMbtiles.write(folder.resolve("world.mbtiles"), "pbf", Map.of(new TileCoord(0, 0, 0), new byte[] {1, 2, 3}));
        Path journal = Files.writeString(folder.resolve("world.mbtiles-wal"), "changes");
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, clock);
            assertThat(packs.follow()).isEqualTo(1);
            assertThat(mounts.fault("world").map(PackError::fault)).contains(PackFault.BAD_SCHEMA);
            clock.pass(5);
            assertThat(packs.follow()).as("the same cause again is no news").isZero();
            Files.delete(journal);
            assertThat(packs.follow()).as("it was tried a moment ago").isZero();
            clock.pass(5);
            assertThat(packs.follow()).isEqualTo(1);
            assertThat(mounts.faults()).isEmpty();
            assertThat(mounts.names()).containsExactly("world");
            try (Lease lease = mounts.lease("world").orElseThrow()) {
                mounts.unmount("world", lease, new PackError(PackFault.UNREADABLE, "the disk failed for a moment"));
            }
            clock.pass(5);
            assertThat(packs.follow()).isEqualTo(1);
            assertThat(mounts.names()).containsExactly("world");
        }
    }

    @Test
    void theFolderIsFollowed() throws IOException {
        try (Mounts mounts = new Mounts()) {
            PackFolder packs = new PackFolder(folder, PackOpener.DEFAULT, mounts, Clock.system());
            write("a", 1);
            write("b", 1);
            Files.writeString(folder.resolve("notes.txt"), "not a pack");
            Files.writeString(folder.resolve("bad.pmtiles"), "not a pack either");
            Files.writeString(folder.resolve(".hidden.pmtiles"), "");
            packs.follow();
            assertThat(mounts.names()).containsExactly("a", "b");
            assertThat(mounts.faults()).containsOnlyKeys("bad");
            assertThat(packs.follow()).isZero();
            Files.delete(folder.resolve("a.pmtiles"));
            Files.delete(folder.resolve("bad.pmtiles"));
            // A bad replacement by rename leaves the good pack where it is.
            Files.writeString(folder.resolve("next"), "broken");
            Files.move(folder.resolve("next"), folder.resolve("b.pmtiles"), StandardCopyOption.ATOMIC_MOVE);
            packs.follow();
            assertThat(mounts.names()).containsExactly("b");
            assertThat(mounts.faults()).containsOnlyKeys("b");
        }
    }
}
