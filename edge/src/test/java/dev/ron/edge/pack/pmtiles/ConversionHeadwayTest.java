package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

/** Who asks hears how far a conversion is, from the first tile to the last. */
class ConversionHeadwayTest {
    private static final int TILES = 21; // all of zooms 0 to 2

    @TempDir
    Path folder = Path.of("");

    private final List<Long> totals = new ArrayList<>();
    private final List<Long> done = new ArrayList<>();

    private final Headway heard = new Headway() {
        @Override
        public void total(long tiles) {
            assertThat(done).isEmpty();
            totals.add(tiles);
        }

        @Override
        public void done(long tiles) {
            done.add(tiles);
        }
    };

    @BeforeEach
    void write() throws IOException {
        ArchiveSpec spec = ArchiveSpec.of(TileType.PNG, Coding.NONE, JsonNodeFactory.instance.objectNode());
        try (PmtilesWriter writer = PmtilesWriter.create(folder.resolve("source.pmtiles"), spec)) {
            for (int id = 0; id < TILES; id++) {
                writer.add(TileId.toTile(id), new byte[] {(byte) id, 1});
            }
            writer.finish();
        }
    }

    private PmtilesPack source() {
        return PmtilesPack.open(folder.resolve("source.pmtiles"), PmtilesLimits.DEFAULT);
    }

    @Test
    void itIsToldWhatThereIsAndEveryStepUpToThat() throws IOException {
        try (PmtilesPack pack = source()) {
            long written = Conversion.of(pack).writeTo(folder.resolve("all.pmtiles"), heard);
            assertThat(written).isEqualTo(TILES);
        }
        assertThat(totals).containsExactly((long) TILES);
        assertThat(done).isEqualTo(LongStream.rangeClosed(1, TILES).boxed().toList());
    }

    // a box takes a few tiles  ->  progress counts what was looked at, so it still reaches the total
    @Test
    void aPartReachesTheTotalToo() throws IOException {
        try (PmtilesPack pack = source()) {
            Path part = folder.resolve("part.pmtiles");
            long written =
                    Conversion.of(pack).within(new Bounds(100, 70, 101, 71)).writeTo(part, heard);
            assertThat(written).isEqualTo(3);
            try (PmtilesPack some = PmtilesPack.open(part, PmtilesLimits.DEFAULT)) {
                assertThat(some.tile(new TileCoord(2, 3, 0))).isPresent();
            }
        }
        assertThat(totals).containsExactly((long) TILES);
        assertThat(done.getLast()).isEqualTo(TILES);
    }
}
