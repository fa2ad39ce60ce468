package dev.ron.edge.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.mbtiles.MbtilesLimits;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.testkit.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a folder may hold besides good packs: each such file is told of, once, and harms no other. */
@ExtendWith(NoLeaks.class)
class PackFolderTest {
    private static final TileCoord TOP = new TileCoord(0, 0, 0);

    @TempDir
    Path folder = Path.of("");

    private final AtomicLong now = new AtomicLong();
    private final Mounts mounts = new Mounts();

    private PackFolder packs(PackOpener opener) {
        return new PackFolder(folder, opener, mounts, new MovableClock() {
            @Override
            public long nanos() {
                return now.get();
            }
        });
    }

    private Path database(String file) throws Exception {
        Path path = folder.resolve(file);
        TestMbtiles.write(path, "png", Map.of(TOP, new byte[] {1, 2, 3}));
        return path;
    }

    private void fiveSecondsLater() {
        now.addAndGet(Duration.ofSeconds(5).toNanos());
    }

    @Test
    void metadataWithAnEmptyBlobIsNamedAsTheCauseAndTheOthersAreMounted() throws Exception {
        database("good.mbtiles");
        Path bad = database("bad.mbtiles");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + bad);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE metadata SET value = x''");
        }
        try (mounts) {
            packs(PackOpener.DEFAULT).follow();
            assertThat(mounts.names()).containsExactly("good");
            assertThat(mounts.fault("bad").map(PackError::fault)).contains(PackFault.BAD_METADATA);
        }
    }

    @Test
    void aMistakeOfOursOverOneFileKeepsNoOtherFromBeingMounted() throws Exception {
        database("a.mbtiles");
        Files.writeString(folder.resolve("b.pmtiles"), "not a pack");
        MbtilesLimits standard = MbtilesLimits.DEFAULT;
        MbtilesLimits mistaken = new MbtilesLimits(
                -1,
                standard.maxTileBytes(),
                standard.maxMetadataChars(),
                standard.maxLookUpSteps(),
                standard.maxSteps(),
                standard.maxRows());
        try (mounts) {
            PackFolder packs = packs(new PackOpener(PmtilesLimits.DEFAULT, mistaken, Optional.empty()));
            assertThat(packs.follow()).isEqualTo(2);
            assertThat(mounts.faults()).containsOnlyKeys("a", "b");
            assertThat(mounts.fault("a").orElseThrow())
                    .hasMessageContaining("a.mbtiles cannot be mounted")
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            fiveSecondsLater();
            assertThat(packs.follow()).isZero();
        }
    }

    // a page of a mounted database is zero | a look-up meets it | 5 s, 10 s  ->  taken out once, until the file changes
    @Test
    void aPackWithADamagedPageIsTakenOutOnce() throws Exception {
        Path path = database("world.mbtiles");
        byte[] whole = Files.readAllBytes(path);
        Files.write(path, TestMbtiles.withDamagedPage(path, "tiles"));
        try (mounts) {
            PackFolder packs = packs(PackOpener.DEFAULT);
            packs.follow();
            try (Lease lease = mounts.lease("world").orElseThrow()) {
                PackError error =
                        catchThrowableOfType(PackError.class, () -> lease.pack().tile(TOP));
                assertThat(error.fault()).isEqualTo(PackFault.DAMAGED);
                assertThat(error.detail()).contains("world.mbtiles is damaged: SQLITE_CORRUPT");
                assertThat(error).hasRootCauseInstanceOf(SQLException.class);
                mounts.unmount("world", lease, error);
            }
            for (int i = 0; i < 3; i++) {
                fiveSecondsLater();
                assertThat(packs.follow()).isZero();
                assertThat(mounts.names()).isEmpty();
                assertThat(mounts.faults()).containsOnlyKeys("world");
            }
            Files.write(folder.resolve("next"), whole);
            Files.move(folder.resolve("next"), path, StandardCopyOption.ATOMIC_MOVE);
            packs.follow();
            assertThat(mounts.names()).containsExactly("world");
            assertThat(mounts.faults()).isEmpty();
        }
    }

    // A link to nothing, a folder, a name that is no part of a URL: there, named as a pack, and not to be mounted.
    @Test
    void whatIsThereAndCannotBeMountedIsToldOnceAndForgottenWhenItGoes() throws Exception {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere")).resolve("a.mbtiles");
        List<Path> bad = List.of(
                Files.createSymbolicLink(folder.resolve("link.mbtiles"), elsewhere),
                Files.createSymbolicLink(folder.resolve("loop.mbtiles"), Path.of("loop.mbtiles")),
                Files.createDirectories(folder.resolve("folder.pmtiles")),
                Files.writeString(folder.resolve("my map.pmtiles"), ""),
                Files.writeString(folder.resolve("Zürich.mbtiles"), ""));
        Files.writeString(folder.resolve(".hidden file.pmtiles"), "");
        try (mounts) {
            PackFolder packs = packs(PackOpener.DEFAULT);
            assertThat(packs.follow()).isEqualTo(bad.size());
            assertThat(mounts.faults())
                    .containsOnlyKeys("link", "loop", "folder", "my map.pmtiles", "Zürich.mbtiles")
                    .allSatisfy((name, fault) ->
                            assertThat(fault.detail()).contains(name).doesNotContain(folder.toString()));
            assertThat(mounts.fault("link").orElseThrow()).hasMessageContaining("a link to a file that does not exist");
            assertThat(mounts.fault("folder").orElseThrow()).hasMessageContaining("not a regular file");
            assertThat(mounts.fault("my map.pmtiles").orElseThrow()).hasMessageContaining("rename it");
            fiveSecondsLater();
            assertThat(packs.follow()).as("it was told").isZero();

            database("elsewhere/a.mbtiles");
            assertThat(packs.follow()).isEqualTo(1);
            assertThat(mounts.names()).containsExactly("link");
            Files.delete(elsewhere);
            packs.follow();
            assertThat(mounts.names()).as("what is mounted stays").containsExactly("link");
            assertThat(mounts.faults()).containsKey("link");
            for (Path path : bad) {
                Files.delete(path);
            }
            packs.follow();
            assertThat(mounts.names()).isEmpty();
            assertThat(mounts.faults()).isEmpty();
        }
    }

    @Test
    void ofTwoFilesWithOneNameTheLoserIsToldOfOnce() throws Exception {
        database("world.mbtiles");
        Files.writeString(folder.resolve("world.pmtiles"), "not a pack");
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        Logger log = (Logger) LoggerFactory.getLogger(PackFolder.class);
        log.addAppender(seen);
        try (mounts) {
            PackFolder packs = packs(PackOpener.DEFAULT);
            packs.follow();
            packs.follow();
            assertThat(seen.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("world.mbtiles is not served: the .pmtiles of that name is; rename or remove one");
            Files.delete(folder.resolve("world.pmtiles"));
            packs.follow();
            assertThat(mounts.names()).containsExactly("world");
        } finally {
            log.detachAppender(seen);
        }
    }
}
