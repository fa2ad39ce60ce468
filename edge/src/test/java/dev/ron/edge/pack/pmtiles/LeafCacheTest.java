package dev.ron.edge.pack.pmtiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.TileCoord;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** However many archives there are, their directories have one bound. */
@ExtendWith(NoLeaks.class)
class LeafCacheTest {
    private static final int LEAVES = 64;
    private static final long LEAF_ENTRIES = 1000;

    @TempDir
    Path folder = Path.of("");

    /** 64 leaves of a thousand tiles, which all have the same four bytes. */
    private Path write(String name) throws IOException {
        ByteArrayOutputStream leaves = new ByteArrayOutputStream();
        Entries root = new Entries();
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            Entries entries = new Entries();
            for (int i = 0; i < LEAF_ENTRIES; i++) {
                entries.add(leaf * LEAF_ENTRIES + i, 1, 4, 0);
            }
            byte[] bytes = DirectoryEncoder.encode(entries.directory());
            root.add(leaf * LEAF_ENTRIES, 0, bytes.length, leaves.size());
            leaves.writeBytes(bytes);
        }
        return Files.write(
                folder.resolve(name),
                new HandMadeArchive()
                        .root(DirectoryEncoder.encode(root.directory()))
                        .leaves(leaves.toByteArray())
                        .bytes());
    }

    private static void readEveryLeaf(PmtilesPack pack) {
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            TileCoord at = TileId.toTile(leaf * LEAF_ENTRIES + 7);
            assertThat(pack.tile(at)).isPresent();
        }
    }

    // four archives of 1.5 MB of leaves each | every leaf is asked for  ->  1 MiB is held, and nothing of who is closed
    @Test
    void manyArchivesStayWithinOneBudgetAndLeaveItWhenTheyClose() throws IOException {
        long budget = 1 << 20;
        LeafCache leaves = new LeafCache(budget);
        List<PmtilesPack> packs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            packs.add(PmtilesPack.open(write(i + ".pmtiles"), PmtilesLimits.DEFAULT, leaves));
        }
        packs.forEach(LeafCacheTest::readEveryLeaf);
        assertThat(leaves.bytes()).isBetween(budget / 2, budget);
        packs.subList(0, 3).forEach(PmtilesPack::close);
        PmtilesPack last = packs.getLast();
        readEveryLeaf(last);
        assertThat(leaves.bytes()).isBetween(budget / 2, budget);
        last.close();
        assertThat(leaves.bytes()).isZero();
    }
}
