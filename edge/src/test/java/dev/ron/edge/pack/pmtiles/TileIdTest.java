package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.TileCoord;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TileIdTest {

    @ParameterizedTest
    @CsvSource({
        "0,0,0,0",
        "1,0,0,1",
        "1,0,1,2",
        "1,1,1,3",
        "1,1,0,4",
        "2,0,0,5",
        "12,3423,1763,19078479",
        "31,2147483647,0,6148914691236517204"
    })
    void followsTheSpecification(int z, int x, int y, long id) {
        assertThat(TileId.of(new TileCoord(z, x, y))).isEqualTo(id);
        assertThat(TileId.toTile(id)).isEqualTo(new TileCoord(z, x, y));
    }

    @Property
    void everyIdentifierIsOneTile(@ForAll @LongRange(max = 6_148_914_691_236_517_204L) long id) {
        assertThat(TileId.of(TileId.toTile(id))).isEqualTo(id);
    }

    @Property
    void parentsIdentifiersFollowTheirChildren(
            @ForAll @IntRange(min = 1, max = 31) int z, @ForAll int anyX, @ForAll int anyY) {
        int mask = (int) ((1L << z) - 1);
        TileCoord child = new TileCoord(z, anyX & mask, anyY & mask);
        TileCoord parent = new TileCoord(z - 1, child.x() >> 1, child.y() >> 1);
        assertThat((TileId.of(child) - TileId.firstOf(z)) / 4).isEqualTo(TileId.of(parent) - TileId.firstOf(z - 1));
    }

    @Test
    void allTilesOfTheFirstZoomsAreNumberedWithoutGapAndEachTouchesTheNext() {
        for (int z = 1; z <= 8; z++) {
            TileCoord last = TileId.toTile(TileId.firstOf(z));
            for (long id = TileId.firstOf(z) + 1; id < TileId.firstOf(z + 1); id++) {
                TileCoord next = TileId.toTile(id);
                assertThat(Math.abs(next.x() - last.x()) + Math.abs(next.y() - last.y()))
                        .isEqualTo(1);
                last = next;
            }
        }
    }
}
