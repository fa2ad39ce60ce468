package dev.ron.edge.pack.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.Mercator;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileJson;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.pmtiles.Conversion;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoWorldTest {
    @TempDir
    static Path folder = Path.of("");

    private static Path world = Path.of("");

    @BeforeAll
    static void write() throws IOException {
        world = folder.resolve("world.pmtiles");
        new DemoWorld().write(world);
    }

    @Test
    void theWorldIsSmallAndTheSameEveryTime() throws IOException {
        Path again = folder.resolve("again.pmtiles");
        new DemoWorld().write(again);
        assertThat(Files.mismatch(world, again)).isEqualTo(-1);
        assertThat(Files.size(world)).isLessThan(5 << 20);
    }

    @Test
    void everyTileOfEveryZoomIsThereAndWellFormed() {
        try (PmtilesPack pack = PmtilesPack.open(world, PmtilesLimits.DEFAULT)) {
            assertThat(pack.walk(() -> false).problems()).isEmpty();
            assertThat(pack.walk(() -> false).addressedTiles()).isEqualTo(5461);
            Set<String> layers = new TreeSet<>();
            pack.tiles((_, tile) -> {
                byte[] plain = Unpacking.unpack(tile.coding(), tile.bytes(), 1 << 20, "tile");
                layers.addAll(new MvtCheck(plain).layers());
                return true;
            });
            assertThat(layers).containsExactly("land", "places", "roads", "water");
            assertThat(pack.info().coding()).isEqualTo(Coding.GZIP);
            assertThat(TileJson.of(pack.info(), "u").path("vector_layers").size())
                    .isEqualTo(4);
        }
    }

    @Test
    void aBoxIsCutOut() throws IOException {
        Path part = folder.resolve("part.pmtiles");
        Bounds box = new Bounds(10, 10, 40, 30);
        try (PmtilesPack pack = PmtilesPack.open(world, PmtilesLimits.DEFAULT)) {
            Conversion.of(pack).within(box).writeTo(part, Headway.UNHEARD);
            try (PmtilesPack cut = PmtilesPack.open(part, PmtilesLimits.DEFAULT)) {
                int[] found = {0};
                cut.tiles((at, tile) -> {
                    found[0]++;
                    assertThat(Mercator.overlaps(at, box)).isTrue();
                    assertThat(pack.tile(at).orElseThrow().bytes()).isEqualTo(tile.bytes());
                    return true;
                });
                assertThat(found[0]).isBetween(40, 200);
                int x = (int) Mercator.column(6, 25);
                int y = (int) Mercator.row(6, 20);
                assertThat(cut.tile(new TileCoord(6, x, y))).isPresent();
                assertThat(cut.info().bounds()).isEqualTo(box);
            }
        }
    }
}
