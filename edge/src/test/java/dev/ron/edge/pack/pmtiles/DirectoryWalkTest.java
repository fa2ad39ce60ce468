package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** A header that says other things than its directories is told apart; it does readers no harm. */
class DirectoryWalkTest {
    private static final int CLUSTERED_AT = 96;

    @TempDir
    Path folder = Path.of("");

    /** Zooms 1 and 2: six tiles, two of them alike and in a row, so five entries of five contents. */
    private byte[] honest() throws IOException {
        Path path = folder.resolve("honest.pmtiles");
        ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(path, spec)) {
            for (int id = 1; id <= 6; id++) {
                byte kind = (byte) (id == 3 ? 2 : id);
                writer.add(TileId.toTile(id), new byte[] {kind, kind, kind});
            }
            writer.finish();
        }
        return Files.readAllBytes(path);
    }

    private WalkReport walk(byte[] bytes) throws IOException {
        Path path = Files.write(folder.resolve("pack.pmtiles"), bytes);
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            return pack.walk(() -> false);
        }
    }

    @Test
    void anHonestHeaderHasNoDifferences() throws IOException {
        WalkReport report = walk(honest());
        assertThat(report.problems()).isEmpty();
        assertThat(report.addressedTiles()).isEqualTo(6);
        assertThat(report.entries()).isEqualTo(5);
        assertThat(report.minZoom()).isEqualTo(1);
        assertThat(report.maxZoom()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "72 | 7 | addressed tiles: the header says 7, the directories have 6",
                "80 | 4 | tile entries: the header says 4, the directories have 5",
                "88 | 9 | tile contents: the header says 9, the directories have 5",
            })
    void aWrongCountIsTold(int at, long count, String told) throws IOException {
        byte[] bytes = honest();
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(at, count);
        assertThat(walk(bytes).problems()).containsExactly(told);
        header.putLong(at, 0); // its writer did not know
        assertThat(walk(bytes).problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "100 | 0 | min zoom 0, the first tile has 1",
                "101 | 7 | max zoom 7, the last tile has 2",
            })
    void aWrongZoomIsTold(int at, byte zoom, String told) throws IOException {
        byte[] bytes = honest();
        bytes[at] = zoom;
        assertThat(walk(bytes).problems()).containsExactly(told);
    }

    // two tiles, the data of the second before that of the first
    @Test
    void dataOutOfOrderIsToldOnlyWhereTheHeaderSaysClustered() throws IOException {
        Entries entries = new Entries();
        entries.add(TileId.of(new TileCoord(0, 0, 0)), 1, 2, 2);
        entries.add(TileId.of(new TileCoord(31, 0, 0)), 1, 2, 0);
        byte[] bytes = new HandMadeArchive()
                .root(DirectoryEncoder.encode(entries.directory()))
                .bytes();
        assertThat(walk(bytes).problems()).isEmpty();
        bytes[CLUSTERED_AT] = 1;
        assertThat(walk(bytes).problems()).containsExactly("the header says clustered, the tile data is not in order");
    }
}
