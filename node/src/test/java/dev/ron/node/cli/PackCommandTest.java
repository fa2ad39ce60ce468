package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.Unpacking;
import dev.ron.http.json.StrictJson;
import dev.ron.node.ExitCode;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code ron pack} as a person types it, on packs of every kind and state. */
final class PackCommandTest {
    @TempDir
    static Path shared;

    @TempDir
    Path folder;

    private static Path world;

    @BeforeAll
    static void makeTheDemoWorld() {
        world = shared.resolve("world.pmtiles");
        Said said = ron("pack", "demo", world.toString());
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("5461 tiles");
    }

    /** Every tile of a pack, plain. */
    private static Map<String, String> tiles(Path path) {
        Map<String, String> found = new TreeMap<>();
        try (Pack pack = PackOpener.DEFAULT.open(path)) {
            pack.tiles((at, tile) -> {
                byte[] plain = Unpacking.unpack(tile.coding(), tile.bytes(), 1 << 20, "tile");
                found.put(at.toString(), Blake3.hash(plain).hex());
                return true;
            });
        }
        return found;
    }

    @Test
    void theDemoWorldIsGoodAndSaysWhatItIs() throws IOException {
        Said verified = ron("pack", "verify", world.toString());
        assertThat(verified.code()).isZero();
        String digest = Blake3.hash(Files.readAllBytes(world)).hex();
        assertThat(verified.out()).contains("5461 tiles read, b3:" + digest, "good");
        Said inspected = ron("pack", "inspect", "--json", world.toString());
        assertThat(inspected.code()).isZero();
        JsonNode facts = new StrictJson().tree(inspected.out().getBytes(StandardCharsets.UTF_8));
        assertThat(facts.path("kind").asString()).isEqualTo("pmtiles");
        assertThat(facts.path("tile_type").asString()).isEqualTo("mvt");
        assertThat(facts.path("max_zoom").asInt()).isEqualTo(6);
        assertThat(facts.path("layers").size()).isEqualTo(4);
        assertThat(ron("pack", "inspect", world.toString()).out()).containsPattern("tile_coding +gzip");
    }

    @Test
    void aPartIsThatPartOfTheWhole() {
        Path part = folder.resolve("new/part.pmtiles"); // its folder is made
        Said said = ron("pack", "extract", world.toString(), part.toString(), "--bbox", "5,45,11,48");
        assertThat(said.code()).isZero();
        assertThat(ron("pack", "verify", part.toString()).code()).isZero();
        Map<String, String> all = tiles(world);
        Map<String, String> some = tiles(part);
        assertThat(all).containsAllEntriesOf(some);
        assertThat(some).containsKeys("0/0/0", "6/33/22").doesNotContainKey("6/0/0");
        assertThat(some.size()).isLessThan(all.size() / 10);
    }

    @Test
    void aDatabaseOfMixedCodingsBecomesAnArchiveWithTheSameTiles() throws SQLException {
        Path database = folder.resolve("mixed.mbtiles");
        List<Coding> codings = List.of(Coding.GZIP, Coding.NONE, Coding.ZSTD, Coding.ZLIB);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE metadata (name TEXT, value TEXT)");
            statement.execute("INSERT INTO metadata VALUES ('format', 'pbf'), ('name', 'Mixed')");
            statement.execute("CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tiles VALUES (4, ?, ?, ?)")) {
                for (int i = 0; i < 256; i++) {
                    byte[] plain = ("\u001a tile " + i).repeat(20).getBytes(StandardCharsets.UTF_8);
                    insert.setInt(1, i % 16);
                    insert.setInt(2, i / 16);
                    insert.setBytes(3, Packing.pack(codings.get(i % codings.size()), plain));
                    insert.execute();
                }
            }
            connection.commit();
        }
        Path archive = folder.resolve("mixed.pmtiles");
        Said said = ron("pack", "convert", database.toString(), archive.toString());
        assertThat(said.code()).isZero();
        assertThat(tiles(archive)).hasSize(256).isEqualTo(tiles(database));
        assertThat(ron("pack", "verify", archive.toString()).code()).isZero();
        Said slow = ron("pack", "verify", database.toString());
        assertThat(slow.code()).isEqualTo(ExitCode.NO.code());
        assertThat(slow.out()).contains("each look-up reads a whole table").doesNotContain("good");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)");
        }
        assertThat(ron("pack", "verify", database.toString()).out()).contains("256 tiles", "good");
        try (Pack pack = PackOpener.DEFAULT.open(archive)) {
            assertThat(pack.info().coding()).isEqualTo(Coding.GZIP);
            assertThat(pack.info().description().path("name").asString()).isEqualTo("Mixed");
        }
    }

    @Test
    void aFolderOfTilesBecomesAPack() throws IOException {
        for (TileCoord at : List.of(new TileCoord(0, 0, 0), new TileCoord(1, 0, 1), new TileCoord(1, 1, 1))) {
            Path file = folder.resolve("tiles/" + at + ".png");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "\u0089PNG " + at);
        }
        Files.writeString(folder.resolve("tiles/readme.txt"), "no tile");
        Path pack = folder.resolve("made.pmtiles");
        Said said = ron("pack", "create", folder.resolve("tiles").toString(), pack.toString(), "--name", "Made");
        assertThat(said.code()).isZero();
        assertThat(tiles(pack)).containsOnlyKeys("0/0/0", "1/0/1", "1/1/1");
        assertThat(ron("pack", "inspect", pack.toString()).out()).containsPattern("name +Made");
    }

    /** A vector tile of one layer, which has a name and a version. */
    private static byte[] layer(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(text.length + 6)
                .put(new byte[] {26, (byte) (text.length + 4), 15 << 3, 2, 10, (byte) text.length})
                .put(text)
                .array();
    }

    private void tile(String at, byte[] bytes) throws IOException {
        Path file = folder.resolve("tiles/" + at + ".mvt");
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private JsonNode created(String... more) throws IOException {
        Path pack = folder.resolve("made.pmtiles");
        List<String> line = new ArrayList<>(
                List.of("pack", "create", folder.resolve("tiles").toString()));
        line.add(pack.toString());
        line.addAll(List.of(more));
        assertThat(ron(line.toArray(String[]::new)).code()).isZero();
        Said said = ron("pack", "inspect", "--json", pack.toString());
        return new StrictJson().tree(said.out().getBytes(StandardCharsets.UTF_8));
    }

    // two tiles, one of them packed, and nothing else  ->  a map client can be told what layers there are
    @Test
    void theLayersOfVectorTilesAreFoundInThem() throws IOException {
        tile("0/0/0", layer("roads"));
        tile("1/0/1", Packing.pack(Coding.GZIP, layer("water")));
        tile("1/1/1", new byte[] {26, 100, 10});
        assertThat(created().path("layers").toString()).isEqualTo("[\"roads\",\"water\"]");
        try (Pack pack = PackOpener.DEFAULT.open(folder.resolve("made.pmtiles"))) {
            assertThat(pack.metadata().toString())
                    .isEqualTo("{\"vector_layers\":[{\"id\":\"roads\",\"minzoom\":0,\"maxzoom\":0,\"fields\":{}},"
                            + "{\"id\":\"water\",\"minzoom\":1,\"maxzoom\":1,\"fields\":{}}]}");
        }
    }

    @Test
    void whatTheFolderSaysOfItselfIsKept() throws IOException {
        tile("0/0/0", layer("roads"));
        Files.writeString(folder.resolve("tiles/metadata.json"), """
                {"name": "Theirs", "attribution": "(c) them", "format": "pbf", "maxzoom": "0", "bounds": "1,2,3,4",
                 "center": "1.5,2.5,0",
                 "json": "{\\"vector_layers\\": [{\\"id\\": \\"said\\", \\"fields\\": {}}]}"}""");
        JsonNode facts = created("--name", "Ours");
        assertThat(facts.path("layers").toString()).isEqualTo("[\"said\"]");
        assertThat(facts.path("name").asString()).isEqualTo("Ours");
        assertThat(facts.path("attribution").asString()).isEqualTo("(c) them");
        assertThat(facts.path("bounds").toString()).isEqualTo("[1.0,2.0,3.0,4.0]");
        assertThat(facts.path("center").toString()).isEqualTo("[1.5,2.5,0]");
        Files.writeString(folder.resolve("tiles/metadata.json"), "{\"vector_layers\": [{\"id\": \"plain\"}]}");
        assertThat(created().path("layers").toString()).isEqualTo("[\"plain\"]");
    }

    @Test
    void whatIsCutOffOrNoPackIsNotGood() throws IOException {
        byte[] whole = Files.readAllBytes(world);
        Path cut = folder.resolve("cut.pmtiles");
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
        Said said = ron("pack", "verify", cut.toString());
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.err()).contains("cut.pmtiles", "is not good");
        Files.writeString(cut, "no pack");
        assertThat(ron("pack", "verify", cut.toString()).code()).isEqualTo(ExitCode.NO.code());
        assertThat(ron("pack", "verify", folder.resolve("none.pmtiles").toString())
                        .code())
                .isEqualTo(ExitCode.NO.code());
        Path target = folder.resolve("target.pmtiles");
        assertThat(ron("pack", "convert", cut.toString(), target.toString()).code())
                .isNotZero();
        assertThat(target).doesNotExist();
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(cut); // nothing half done remains
        }
    }

    /** An archive of one entry: four bytes that are, so it says, 2^32-1 tiles in a row. */
    private static byte[] boast() {
        byte[] root = {1, 0, -1, -1, -1, -1, 15, 4, 1};
        ByteBuffer bytes = ByteBuffer.allocate(127 + root.length + 2 + 4).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("PMTiles".getBytes(StandardCharsets.US_ASCII)).put((byte) 3);
        long at = 127;
        for (int length : new int[] {root.length, 2, 0, 4}) {
            bytes.putLong(at).putLong(length);
            at += length;
        }
        bytes.position(96).put(new byte[] {0, 1, 1, 2, 0, 31});
        bytes.position(127).put(root).put((byte) '{').put((byte) '}');
        return bytes.array();
    }

    // a few bytes that claim billions of tiles  ->  each blob read once, and no archive of them
    @Test
    void aRunOfBillionsIsReadOnceAndNotConverted() throws IOException {
        Path boast = folder.resolve("boast.pmtiles");
        Files.write(boast, boast());
        Said verified = ron("pack", "verify", boast.toString());
        assertThat(verified.out()).contains("4294967295 tiles read", "1 entries");
        Path target = folder.resolve("target.pmtiles");
        Said converted = ron("pack", "convert", boast.toString(), target.toString());
        assertThat(converted.code()).isNotZero();
        assertThat(converted.err()).contains("boast.pmtiles", "tiles");
        assertThat(target).doesNotExist();
    }

    // every tile is there, and the header says other things  ->  each is told, and the exit code is 1
    @Test
    void aHeaderThatSaysOtherThingsThanItsDirectoriesIsNotGood() throws IOException {
        byte[] bytes = Files.readAllBytes(world);
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(72, 5460); // addressed tiles
        header.put(101, (byte) 9); // max zoom
        Path odd = Files.write(folder.resolve("odd.pmtiles"), bytes);
        Said said = ron("pack", "verify", odd.toString());
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out())
                .contains(
                        "problem: addressed tiles: the header says 5460, the directories have 5461",
                        "problem: max zoom 9, the last tile has 6",
                        "readable, with problems");
        assertThat(ron("pack", "verify", "--json", odd.toString()).out()).contains("\"ok\":false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2,3", "a,b,c,d", "10,45,5,48", "1,2,3,4,5", "5,45,11,200"})
    void aBoxThatIsNoneIsAMistakeOfTheCommandLine(String box) {
        Path target = folder.resolve("part.pmtiles");
        Said said = ron("pack", "extract", world.toString(), target.toString(), "--bbox", box);
        assertThat(said.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(said.err()).contains(box);
        assertThat(target).doesNotExist();
    }

    // a download that left a hole  ->  the directories are right, and a tile is no gzip any more
    @Test
    void tilesThatDoNotUnpackAreNotGood() throws IOException {
        byte[] bytes = Files.readAllBytes(world);
        int data = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(56);
        Arrays.fill(bytes, data, data + 64, (byte) 0);
        Path holed = Files.write(folder.resolve("holed.pmtiles"), bytes);
        Said said = ron("pack", "verify", holed.toString());
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out()).contains("5461 tiles read", "problem: 1 of them do not unpack, the first: a tile");
    }

    @Test
    void aPackIsOnlyWrittenUnderANameThatSaysSo() {
        Said said = ron("pack", "demo", folder.resolve("world.zip").toString());
        assertThat(said.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(said.err()).contains(".pmtiles");
    }

    @Test
    void onATerminalABarIsDrawnAndElsewhereALineNowAndThen() {
        assertThat(shown(true, 200))
                .contains("\r[##########----------] 100 of 200 tiles read, 50 %, 10/s")
                .endsWith("\r" + " ".repeat(79) + "\r");
        assertThat(shown(true, 0)).contains("\r100 tiles read, 10/s");
        assertThat(shown(false, 200).lines())
                .containsExactly("50 of 200 tiles read, 25 %, 10/s", "100 of 200 tiles read, 50 %, 10/s");
    }

    /** What is shown of a hundred tiles, ten a second. */
    private static String shown(boolean terminal, long total) {
        StringWriter said = new StringWriter();
        AtomicLong now = new AtomicLong();
        try (Progress progress = new Progress(new PrintWriter(said, true), "tiles read", terminal, now::get)) {
            progress.total(total);
            for (int done = 1; done <= 100; done++) {
                now.addAndGet(100_000_000L);
                progress.done(done);
            }
        }
        return said.toString();
    }
}
