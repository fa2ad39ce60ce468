package dev.ron.edge.pack.mbtiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileJson;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.pmtiles.Conversion;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

@ExtendWith(NoLeaks.class)
class MbtilesPackTest {
    @TempDir
    Path folder = Path.of("");

    /** The shapes that are met in the wild. */
    enum Shape {
        FLAT("CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);"
                + "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row)"),
        KEYED("CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB,"
                + " PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID"),
        SHALLOW("CREATE TABLE tiles_shallow (zoom_level INT, tile_column INT, tile_row INT, tile_data_id INT,"
                + " PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;"
                + "CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB);"
                + "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles_shallow"
                + " JOIN tiles_data ON tiles_shallow.tile_data_id = tiles_data.tile_data_id;"
                + "CREATE TRIGGER t INSTEAD OF INSERT ON tiles BEGIN"
                + " INSERT INTO tiles_data (tile_data) VALUES (new.tile_data)\\;"
                + " INSERT INTO tiles_shallow VALUES (new.zoom_level, new.tile_column, new.tile_row,"
                + " last_insert_rowid())\\; END"),
        MAP_AND_IMAGES("CREATE TABLE map (zoom_level INT, tile_column INT, tile_row INT, tile_id TEXT);"
                + "CREATE TABLE images (tile_data BLOB, tile_id TEXT);"
                + "CREATE UNIQUE INDEX m ON map (zoom_level, tile_column, tile_row);"
                + "CREATE UNIQUE INDEX n ON images (tile_id);"
                + "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map"
                + " JOIN images ON images.tile_id = map.tile_id;"
                + "CREATE TRIGGER t INSTEAD OF INSERT ON tiles BEGIN"
                + " INSERT INTO images VALUES (new.tile_data, hex(new.tile_data) || new.zoom_level || '/' || new.tile_column || '/' || new.tile_row)\\;"
                + " INSERT INTO map VALUES (new.zoom_level, new.tile_column, new.tile_row,"
                + " hex(new.tile_data) || new.zoom_level || '/' || new.tile_column || '/' || new.tile_row)\\; END");

        private final String schema;

        Shape(String schema) {
            this.schema = schema;
        }
    }

    private Path write(Shape shape, Map<TileCoord, byte[]> tiles, Map<String, String> metadata) throws SQLException {
        Path path = folder.resolve("pack.mbtiles");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE metadata (name TEXT, value TEXT)");
            for (String part : shape.schema.split("(?<!\\\\);", -1)) {
                statement.execute(part.replace("\\;", ";"));
            }
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tiles VALUES (?, ?, ?, ?)")) {
                for (Map.Entry<TileCoord, byte[]> tile : tiles.entrySet()) {
                    insert.setInt(1, tile.getKey().z());
                    insert.setInt(2, tile.getKey().x());
                    insert.setInt(
                            3, (1 << tile.getKey().z()) - 1 - tile.getKey().y());
                    insert.setBytes(4, tile.getValue());
                    insert.execute();
                }
            }
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO metadata VALUES (?, ?)")) {
                for (Map.Entry<String, String> entry : metadata.entrySet()) {
                    insert.setString(1, entry.getKey());
                    insert.setString(2, entry.getValue());
                    insert.execute();
                }
            }
        }
        return path;
    }

    private static final MbtilesLimits SMALL = new MbtilesLimits(1, 1000, 1 << 20, 1000, 1000, 1000);

    private static final Map<TileCoord, byte[]> TILES = Map.of(
            new TileCoord(0, 0, 0), Packing.pack(Coding.GZIP, new byte[] {1, 2, 3}),
            new TileCoord(1, 0, 0), new byte[] {1, 0, 0},
            new TileCoord(1, 0, 1), Packing.pack(Coding.ZSTD, new byte[] {1, 0, 1}),
            new TileCoord(2, 3, 1), Packing.pack(Coding.ZLIB, new byte[20_000]),
            new TileCoord(11, 327, 791), new byte[] {11});

    @ParameterizedTest
    @EnumSource(Shape.class)
    void tilesAreFoundWhereTheXyzSchemeHasThem(Shape shape) throws SQLException {
        Path path = write(shape, TILES, Map.of("format", "pbf", "name", "n"));
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            for (Map.Entry<TileCoord, byte[]> tile : TILES.entrySet()) {
                assertThat(pack.tile(tile.getKey()).orElseThrow().bytes()).isEqualTo(tile.getValue());
            }
            assertThat(pack.tile(new TileCoord(1, 1, 0))).isEmpty();
            assertThat(pack.tile(new TileCoord(12, 0, 0))).isEmpty();
            assertThat(pack.info().minZoom()).isZero();
            assertThat(pack.info().maxZoom()).isEqualTo(11);
            assertThat(pack.tile(new TileCoord(0, 0, 0)).map(Tile::coding)).contains(Coding.GZIP);
            assertThat(pack.tile(new TileCoord(1, 0, 0)).map(Tile::coding)).contains(Coding.NONE);
            assertThat(pack.tile(new TileCoord(1, 0, 1)).map(Tile::coding)).contains(Coding.ZSTD);
            assertThat(pack.tile(new TileCoord(2, 3, 1)).map(Tile::coding)).contains(Coding.ZLIB);
            Map<TileCoord, byte[]> visited = new HashMap<>();
            pack.tiles((at, tile) -> visited.put(at, tile.bytes()) == null);
            assertThat(visited.keySet()).isEqualTo(TILES.keySet());
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void everyUsualShapeIsGood(Shape shape) throws SQLException {
        Path path = write(shape, TILES, Map.of("format", "pbf"));
        for (String sql : new String[] {"PRAGMA user_version = 1", "ANALYZE"}) {
            execute(path, sql);
            try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
                assertThat(pack.survey(() -> false).problems()).as(sql).isEmpty();
            }
        }
    }

    @Test
    void aMissingIndexIsTold() throws SQLException {
        Path flat = write(Shape.FLAT, TILES, Map.of("format", "pbf"));
        execute(flat, "DROP INDEX i");
        assertThat(problems(flat)).singleElement().asString().contains("(SCAN tiles)", "CREATE UNIQUE INDEX");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m", "n"})
    void anIndexMissingBehindAViewIsTold(String index) throws SQLException {
        Path path = write(Shape.MAP_AND_IMAGES, TILES, Map.of("format", "pbf"));
        execute(path, "DROP INDEX " + index);
        assertThat(problems(path)).singleElement().asString().contains("reads a whole table");
    }

    private static List<String> problems(Path path) {
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            return pack.survey(() -> false).problems();
        }
    }

    // a look-up in a large table without an index | one with  ->  the first gives up soon, the second is far below
    @Test
    void aLookUpThatReadsAWholeTableGivesUpSoon() throws SQLException {
        Path path = write(Shape.FLAT, Map.of(), Map.of("format", "png", "minzoom", "0", "maxzoom", "20"));
        execute(
                path,
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 400000)"
                        + " INSERT INTO tiles SELECT 20, i, 0, x'01' FROM n");
        TileCoord last = new TileCoord(20, 399_999, (1 << 20) - 1);
        MbtilesLimits frugal = new MbtilesLimits(1, 1000, 1000, 2, 20_000, 1_000_000);
        try (MbtilesPack pack = MbtilesPack.open(path, frugal)) {
            assertThat(pack.tile(last)).isPresent();
        }
        execute(path, "DROP INDEX i");
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(last));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
            assertThat(error.detail()).contains("is the index missing?");
            assertThat(pack.survey(() -> false).tiles()).isEqualTo(400_000);
        }
    }

    // The next row of a view may never come: the look at all of them stops in between too.
    @Test
    void aLookAtAllRowsStopsBetweenTwoRows() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "png", "minzoom", "0", "maxzoom", "5"));
        execute(path, "DROP TABLE tiles");
        execute(
                path,
                "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
                        + " SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'01' AS tile_data FROM n"
                        + " WHERE i < 0");
        AtomicInteger asked = new AtomicInteger();
        try (MbtilesPack pack = MbtilesPack.open(path, SMALL)) {
            assertThat(pack.survey(() -> asked.incrementAndGet() > 10).complete())
                    .isFalse();
            PackError error = catchThrowableOfType(PackError.class, () -> pack.survey(() -> false));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
        }
    }

    // what no TileJSON has | to an archive, and from there to another  ->  it is there
    @Test
    void anArchiveKeepsAllTheMetadata() throws Exception {
        Path path = write(
                Shape.FLAT,
                TILES,
                Map.of(
                        "format", "pbf",
                        "name", "Streets",
                        "planetiler:version", "0.9",
                        "bounds", "-10, -20.5,30,40",
                        "json", "{\"vector_layers\":[{\"id\":\"roads\"}],\"tilestats\":{\"layerCount\":1}}"));
        Path archive = folder.resolve("pack.pmtiles");
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            Conversion.of(pack).writeTo(archive, Headway.UNHEARD);
        }
        Path again = folder.resolve("again.pmtiles");
        try (PmtilesPack pack = PmtilesPack.open(archive, PmtilesLimits.DEFAULT)) {
            Conversion.of(pack).writeTo(again, Headway.UNHEARD);
        }
        try (PmtilesPack pack = PmtilesPack.open(again, PmtilesLimits.DEFAULT)) {
            ObjectNode metadata = pack.metadata();
            assertThat(metadata.path("tilestats").path("layerCount").asInt()).isEqualTo(1);
            assertThat(metadata.path("planetiler:version").asString()).isEqualTo("0.9");
            assertThat(metadata.path("vector_layers").size()).isEqualTo(1);
            assertThat(metadata.path("name").asString()).isEqualTo("Streets");
            assertThat(metadata.has("format")).isFalse();
            assertThat(pack.info().description().has("tilestats")).isFalse();
        }
    }

    @Test
    void metadataBecomesTileJson() throws SQLException {
        Path path = write(
                Shape.FLAT,
                TILES,
                Map.of(
                        "format", "pbf",
                        "name", "Streets",
                        "attribution", "<a href=x>x</a>",
                        "bounds", "-10, -20.5,30,40",
                        "center", "1.5,2.5,7",
                        "minzoom", "0",
                        "maxzoom", "14",
                        "json",
                                "{\"vector_layers\":[{\"id\":\"roads\"},{\"id\":\"land\",\"fields\":{\"a\":\"String\"}},3]}"));
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            assertThat(pack.info().type()).isEqualTo(TileType.MVT);
            assertThat(pack.info().bounds()).isEqualTo(new Bounds(-10, -20.5, 30, 40));
            assertThat(pack.info().center()).contains(new Center(1.5, 2.5, 7));
            ObjectNode json = TileJson.of(pack.info(), "https://t/{z}/{x}/{y}.mvt");
            assertThat(json.toString())
                    .isEqualTo("{\"tilejson\":\"3.0.0\",\"tiles\":[\"https://t/{z}/{x}/{y}.mvt\"],\"scheme\":\"xyz\","
                            + "\"name\":\"Streets\",\"attribution\":\"<a href=x>x</a>\",\"minzoom\":0,\"maxzoom\":14,"
                            + "\"bounds\":[-10.0,-20.5,30.0,40.0],\"center\":[1.5,2.5,7],"
                            + "\"vector_layers\":[{\"id\":\"roads\",\"fields\":{}},"
                            + "{\"id\":\"land\",\"fields\":{\"a\":\"String\"}}]}");
        }
    }

    @Test
    void aPackReplacedByRenameAnswersFromTheOldFileAndAnOverwrittenOneDoesNot() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "png"));
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            Path aside = folder.resolve("aside");
            Files.copy(path, aside);
            Files.move(aside, path, StandardCopyOption.ATOMIC_MOVE);
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                    Statement statement = connection.createStatement()) {
                statement.execute("DELETE FROM tiles");
            }
            for (TileCoord at : TILES.keySet()) {
                assertThat(pack.tile(at)).isPresent();
            }
        }
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            Files.write(path, Files.readAllBytes(path));
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(new TileCoord(0, 0, 0)));
            assertThat(error.fault()).isEqualTo(PackFault.OVERWRITTEN);
        }
    }

    // What a look-up reads of an overwritten file makes no sense to SQLite: the cause is not the damage.
    @Test
    void anOverwrittenFileIsNotTakenForADamagedOne() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "png", "minzoom", "0", "maxzoom", "5"));
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            Files.write(path, TestMbtiles.withDamagedPage(path, "tiles"));
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(new TileCoord(0, 0, 0)));
            assertThat(error.fault()).isEqualTo(PackFault.OVERWRITTEN);
        }
    }

    @Test
    void whatIsNotMbtilesIsRefusedWithItsCause() throws Exception {
        assertThat(faultOf(new byte[10])).isEqualTo(PackFault.TRUNCATED);
        assertThat(faultOf(new byte[200])).isEqualTo(PackFault.BAD_FORMAT);
        Path path = write(Shape.FLAT, TILES, Map.of("format", "pbf"));
        byte[] whole = Files.readAllBytes(path);
        byte[] cut = Arrays.copyOf(whole, 5000);
        assertThat(faultOf(cut)).isIn(PackFault.DAMAGED, PackFault.BAD_SCHEMA);
        Files.write(path, whole);
        Files.writeString(folder.resolve("pack.mbtiles-wal"), "x");
        assertThat(fault(path)).isEqualTo(PackFault.BAD_SCHEMA);
        Files.delete(folder.resolve("pack.mbtiles-wal"));
        execute(path, "UPDATE metadata SET value = 'gif'");
        assertThat(fault(path)).isEqualTo(PackFault.BAD_METADATA);
        execute(path, "DROP TABLE tiles");
        assertThat(fault(path)).isEqualTo(PackFault.BAD_SCHEMA);
    }

    // A view named "tiles" may be any query, also one that never ends.
    @Test
    void anEndlessViewEndsWithATypedError() throws Exception {
        Path path = write(Shape.FLAT, Map.of(), Map.of("format", "png", "minzoom", "0", "maxzoom", "5"));
        execute(path, "DROP TABLE tiles");
        execute(
                path,
                "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
                        + " SELECT i - i - 1 AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data FROM n");
        try (MbtilesPack pack = MbtilesPack.open(path, new MbtilesLimits(1, 1000, 1000, 1000, 1000, 1000))) {
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(new TileCoord(0, 0, 0)));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
        }
    }

    @Test
    void aTileBeyondTheBoundIsNotRead() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "png"));
        execute(path, "UPDATE tiles SET tile_data = zeroblob(50000000) WHERE zoom_level = 0");
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(new TileCoord(0, 0, 0)));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
            assertThat(pack.tile(new TileCoord(1, 0, 0))).isPresent();
            PackError all = catchThrowableOfType(PackError.class, () -> pack.tiles((at, tile) -> true));
            assertThat(all.fault()).isEqualTo(PackFault.TOO_LARGE);
            assertThat(pack.survey(() -> false).problems()).containsExactly("1 tiles have more than 8388608 bytes");
        }
    }

    // Each value is within its bound; it is their number that fills the memory, and a name is as long as a value.
    @ParameterizedTest
    @ValueSource(strings = {"'k' || i, hex(zeroblob(40000))", "hex(zeroblob(40000)) || i, 'v'"})
    void metadataIsBoundedAsAWhole(String nameAndValue) throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of());
        execute(path, "DROP TABLE metadata");
        execute(
                path,
                "CREATE VIEW metadata (name, value) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                        + " LIMIT 100) SELECT 'format', 'pbf' UNION ALL SELECT " + nameAndValue + " FROM n");
        PackError error = catchThrowableOfType(
                PackError.class, () -> MbtilesPack.open(path, SMALL).close());
        assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
        MbtilesPack.open(path, MbtilesLimits.DEFAULT).close();
    }

    // length() of a text ends at its first NUL, and what asks for a length may have made the value first
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'A' || CAST(zeroblob(1000) AS TEXT)",
                "'A' || CAST(zeroblob(900000000) AS TEXT)",
                "zeroblob(length(randomblob(900000000)) / 1000000)"
            })
    void aTileIsAsLongAsItsBytes(String tile) throws Exception {
        Path path = write(Shape.FLAT, Map.of(), Map.of("format", "png", "minzoom", "0", "maxzoom", "5"));
        execute(path, "DROP TABLE tiles");
        execute(
                path,
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, " + tile
                        + " AS tile_data");
        try (MbtilesPack pack = MbtilesPack.open(path, SMALL)) {
            PackError error = catchThrowableOfType(PackError.class, () -> pack.tile(new TileCoord(0, 0, 0)));
            assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
            PackError all = catchThrowableOfType(PackError.class, () -> pack.tiles((at, found) -> true));
            assertThat(all.fault()).isEqualTo(PackFault.TOO_LARGE);
        }
    }

    @Test
    void everyRowIsLookedAtAndWhatIsOddIsTold() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "pbf", "minzoom", "0", "maxzoom", "2"));
        execute(path, "INSERT INTO tiles VALUES (1, 2, 0, x'01'), (-1, 0, 0, x'01')");
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT)) {
            PackSurvey survey = pack.survey(() -> false);
            assertThat(survey.complete()).isTrue();
            assertThat(survey.tiles()).isEqualTo(TILES.size() + 2);
            assertThat(survey.problems())
                    .containsExactly(
                            "2 rows are for tiles that do not exist",
                            "1 tiles are outside zoom 0 to 2, which the metadata names");
            assertThat(pack.survey(() -> true).complete()).isFalse();
            assertThat(pack.expectedTiles()).hasValue(TILES.size() + 2);
        }
    }

    // A view may also have rows without end, each of them in order.
    @Test
    void aLookAtAllRowsEndsWithATypedError() throws Exception {
        Path path = write(Shape.FLAT, Map.of(), Map.of("format", "png", "minzoom", "0", "maxzoom", "5"));
        execute(path, "DROP TABLE tiles");
        execute(
                path,
                "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
                        + " SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'01' AS tile_data FROM n");
        try (MbtilesPack pack = MbtilesPack.open(path, new MbtilesLimits(1, 1000, 1000, 1000, 1000, 10_000))) {
            PackError looked = catchThrowableOfType(PackError.class, () -> pack.survey(() -> false));
            assertThat(looked.fault()).isEqualTo(PackFault.TOO_LARGE);
            PackError read = catchThrowableOfType(PackError.class, () -> pack.tiles((at, tile) -> true));
            assertThat(read.fault()).isEqualTo(PackFault.TOO_LARGE);
            assertThat(pack.expectedTiles()).isEmpty();
        }
    }

    @Test
    void nothingBesideTheFileIsTouched() throws Exception {
        Path path = write(Shape.FLAT, TILES, Map.of("format", "png"));
        try (MbtilesPack pack = MbtilesPack.open(path, MbtilesLimits.DEFAULT);
                var files = Files.list(folder)) {
            assertThat(pack.tile(new TileCoord(0, 0, 0))).isPresent();
            assertThat(files.map(f -> f.getFileName().toString())).containsExactly("pack.mbtiles");
        }
    }

    private static void execute(Path path, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private PackFault faultOf(byte[] bytes) throws IOException {
        Path path = folder.resolve("pack.mbtiles");
        Files.write(path, bytes);
        PackFault fault = fault(path);
        Files.delete(path);
        return fault;
    }

    private static PackFault fault(Path path) {
        return catchThrowableOfType(
                        PackError.class,
                        () -> MbtilesPack.open(path, MbtilesLimits.DEFAULT).close())
                .fault();
    }
}
