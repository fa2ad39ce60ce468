package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.Mercator;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileJson;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.mbtiles.MbtilesLimits;
import dev.ron.edge.pack.mbtiles.MbtilesPack;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.kernel.testkit.NoLeaks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What becomes of what a pack says about its place when it is written anew, whole or in part. */
@ExtendWith(NoLeaks.class)
class ConversionTest {
    private static final TileCoord AT = new TileCoord(4, 8, 5);

    @TempDir
    Path folder = Path.of("");

    private static Bounds of(TileCoord at) {
        return new Bounds(
                Mercator.longitude(at.z(), at.x()),
                Mercator.latitude(at.z(), at.y() + 1.0),
                Mercator.longitude(at.z(), at.x() + 1.0),
                Mercator.latitude(at.z(), at.y()));
    }

    private static void assertClose(Bounds found, Bounds expected) {
        assertThat(found.west()).isCloseTo(expected.west(), within(1e-6));
        assertThat(found.south()).isCloseTo(expected.south(), within(1e-6));
        assertThat(found.east()).isCloseTo(expected.east(), within(1e-6));
        assertThat(found.north()).isCloseTo(expected.north(), within(1e-6));
    }

    private Path database(String key, String value) throws Exception {
        Path path = folder.resolve("base.mbtiles");
        TestMbtiles.write(path, "png", Map.of(AT, new byte[] {1}));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO metadata VALUES ('" + key + "', '" + value + "')");
        }
        return path;
    }

    // a box across the antimeridian, or one that holds nothing  ->  clients get one in which there is something to ask
    // for
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "177,-20,-178,-12 | -180 | -20 | 180 | -12",
                "0,0,0,0 | -180 | -85.0511287 | 180 | 85.0511287",
                "5,10,5,20 | -180 | -85.0511287 | 180 | 85.0511287",
                "5,20,6,10 | -180 | -85.0511287 | 180 | 85.0511287",
                "5,10,6,20 | 5 | 10 | 6 | 20"
            })
    void aBoxThatShowsNothingIsNotPassedOn(String said, double west, double south, double east, double north)
            throws Exception {
        try (MbtilesPack pack = MbtilesPack.open(database("bounds", said), MbtilesLimits.DEFAULT)) {
            assertThat(TileJson.of(pack.info(), "x")
                            .path("bounds")
                            .valueStream()
                            .map(JsonNode::asDouble))
                    .containsExactly(west, south, east, north);
            Bounds made = converted(pack, Bounds.WORLD).bounds();
            boolean named = west > -180 || north < 80;
            assertClose(made, named ? new Bounds(west, south, east, north) : of(AT));
        }
    }

    // an archive whose writer counted entries, not tiles  ->  all of it is converted
    @Test
    void anArchiveThatSaysItHasFewerTilesIsConvertedWhole() throws Exception {
        Path from = folder.resolve("from.pmtiles");
        byte[] bytes = new HandMadeArchive()
                .root(HandMadeArchive.directory(1, 1, 4, 4, 1))
                .bytes();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(72, 1);
        Files.write(from, bytes);
        Path to = folder.resolve("to.pmtiles");
        try (PmtilesPack pack = PmtilesPack.open(from, PmtilesLimits.DEFAULT)) {
            assertThat(pack.header().addressedTiles()).isEqualTo(1);
            assertThat(Conversion.of(pack).writeTo(to, Headway.UNHEARD)).isEqualTo(4);
        }
        try (PmtilesPack made = PmtilesPack.open(to, PmtilesLimits.DEFAULT)) {
            assertThat(made.header().addressedTiles()).isEqualTo(4);
            assertThat(made.walk(() -> false).problems()).isEmpty();
        }
    }

    // an archive with a leaf of a million entries, which no server takes  ->  it can be converted into one that it
    // takes
    @Test
    void anArchiveWithLargeLeavesCanBeConverted() throws Exception {
        Path from = folder.resolve("from.pmtiles");
        Entries entries = new Entries();
        int count = 1_100_000;
        for (int i = 0; i < count; i++) {
            entries.add(TileId.firstOf(11) + i, 1, 4, i % 3 * 4L); // each unlike the one before: no runs
        }
        byte[] leaf = DirectoryEncoder.encode(entries.directory());
        assertThat(leaf.length).isGreaterThan(PmtilesLimits.DEFAULT.maxDirectoryBytes());
        Files.write(
                from,
                new HandMadeArchive()
                        .root(HandMadeArchive.directory(1, TileId.firstOf(11), 0, leaf.length, 1))
                        .leaves(leaf)
                        .data(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
                        .bytes());
        try (PmtilesPack pack = PmtilesPack.open(from, PmtilesLimits.DEFAULT)) {
            PackError refused = catchThrowableOfType(PackError.class, () -> pack.walk(() -> false));
            assertThat(refused.fault()).isEqualTo(PackFault.TOO_LARGE);
            assertThat(refused.detail()).contains("ron pack convert");
        }
        Path to = folder.resolve("to.pmtiles");
        try (Pack pack = PackOpener.LAX.open(from)) {
            assertThat(Conversion.of(pack).writeTo(to, Headway.UNHEARD)).isEqualTo(count);
        }
        try (PmtilesPack made = PmtilesPack.open(to, PmtilesLimits.DEFAULT)) {
            assertThat(made.walk(() -> false).addressedTiles()).isEqualTo(count);
        }
    }

    /** What the archive says that is made from the pack. */
    private PackInfo converted(Pack pack, Bounds box) throws Exception {
        Path to = folder.resolve("to.pmtiles");
        Conversion conversion = Conversion.of(pack);
        (box.equals(Bounds.WORLD) ? conversion : conversion.within(box)).writeTo(to, Headway.UNHEARD);
        try (PmtilesPack made = PmtilesPack.open(to, PmtilesLimits.DEFAULT)) {
            return made.info();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,120,4", "400,0,4", "0,0,5", "0,0,-1", "0,0,1e20", "-180.5,0,4"})
    void aCentreThatIsNoneIsNotServedAndNotWritten(String center) throws Exception {
        try (Pack pack = MbtilesPack.open(database("center", center), MbtilesLimits.DEFAULT)) {
            assertThat(pack.info().center()).isEmpty();
            assertThat(TileJson.of(pack.info(), "x").has("center")).isFalse();
            Center made = converted(pack, Bounds.WORLD).center().orElseThrow();
            Bounds box = of(AT);
            assertThat(made.longitude()).isBetween(box.west(), box.east());
            assertThat(made.latitude()).isBetween(box.south(), box.north());
            assertThat(made.zoom()).isEqualTo(4);
        }
    }

    @Test
    void aCentreStaysAndBoundsThatNobodyNamedAreThoseOfTheTiles() throws Exception {
        try (Pack pack = MbtilesPack.open(database("center", "1.5,2.5,4"), MbtilesLimits.DEFAULT)) {
            PackInfo made = converted(pack, Bounds.WORLD);
            assertThat(made.center()).contains(new Center(1.5, 2.5, 4));
            assertClose(made.bounds(), of(AT));
        }
        Files.delete(folder.resolve("base.mbtiles"));
        try (Pack pack = MbtilesPack.open(database("bounds", "1,2,3,4"), MbtilesLimits.DEFAULT)) {
            assertClose(converted(pack, Bounds.WORLD).bounds(), new Bounds(1, 2, 3, 4));
        }
    }

    /** The header's centre: its zoom, then longitude and latitude in degrees times 10^7. */
    @ParameterizedTest
    @CsvSource({"255, 0, 0", "4, 2140000000, 0", "4, 0, 2140000000", "4, 0, -900000001"})
    void aHeaderMayNotNameACentreThatIsNone(int zoom, int longitude, int latitude) throws Exception {
        Path path = folder.resolve("hand.pmtiles");
        byte[] bytes = new HandMadeArchive().bytes();
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(118)
                .put((byte) zoom)
                .putInt(longitude)
                .putInt(latitude);
        Files.write(path, bytes);
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.info().center()).isEmpty();
        }
    }

    // a tile beyond the bound in the west | a part of the east, and the whole  ->  the part is written
    @Test
    void whatIsOutsideOfTheBoxIsNotRead() throws Exception {
        Path path = folder.resolve("from.pmtiles");
        ArchiveSpec spec = ArchiveSpec.of(TileType.PNG, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            writer.add(new TileCoord(1, 0, 0), new byte[5000]);
            writer.add(new TileCoord(1, 1, 0), new byte[] {7});
            writer.finish();
        }
        Path to = folder.resolve("to.pmtiles");
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT.withMaxTileBytes(1000))) {
            Conversion part = Conversion.of(pack).within(new Bounds(10, 10, 20, 20));
            assertThat(part.writeTo(to, Headway.UNHEARD)).isEqualTo(1);
            PackError error = catchThrowableOfType(
                    PackError.class, () -> Conversion.of(pack).writeTo(to, Headway.UNHEARD));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
        }
    }

    @Test
    void aPartIsNoLargerThanTheWhole() throws Exception {
        Path path = folder.resolve("from.pmtiles");
        Bounds all = new Bounds(2, 45, 11, 48);
        ArchiveSpec spec = new ArchiveSpec(
                TileType.PNG,
                Coding.NONE,
                Coding.GZIP,
                Optional.of(all),
                Optional.empty(),
                JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            writer.add(AT, new byte[] {1});
            writer.finish();
        }
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertClose(converted(pack, new Bounds(-20, 46, 5, 80)).bounds(), new Bounds(2, 46, 5, 48));
            assertClose(converted(pack, new Bounds(3, 46, 5, 47)).bounds(), new Bounds(3, 46, 5, 47));
        }
    }
}
