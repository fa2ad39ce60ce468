package dev.ron.ledger.tree;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TilesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tile/0/000",
                "tile/0/x001/x234/067",
                "tile/3/x001/x234/067.p/8",
                "tile/63/999",
                "tile/entries/x001/000.p/255",
                "tile/entries/000",
            })
    void pathsOfTheSpecificationRoundTrip(String text) throws Refused {
        assertThat(TilePath.parse(text)).hasToString(text);
    }

    @Test
    void readsIndexAndWidth() throws Refused {
        assertThat(TilePath.parse("tile/0/x001/x234/067.p/8")).isEqualTo(new TilePath(0, 1_234_067, 8));
        assertThat(TilePath.parse("tile/entries/012")).isEqualTo(new TilePath(TilePath.ENTRIES, 12, 256));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tile/0/0",
                "tile/00/000",
                "tile/64/000",
                "tile/-1/000",
                "tile/0/x000/001",
                "tile/0/001/002",
                "tile/0/x001",
                "tile/0/000.p/0",
                "tile/0/000.p/256",
                "tile/0/000.p/08",
                "tile/0/000.p",
                "tile/0/../000",
                "tile/0/000/",
                "/tile/0/000",
                "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
                "tile/0/٠٠٠",
            })
    void aTileHasOnePathOnly(String text) {
        refuses(() -> TilePath.parse(text), Reason.MALFORMED, "tile path");
    }

    @Test
    void publishedTilesAreEnoughToRebuildTheRoot() {
        List<TreeHash> leaves = TreeProofTest.leaves(70_000, 1);
        Tree tree = TreeProofTest.tree(leaves);
        Map<String, byte[]> files = new HashMap<>();
        long published = 0;
        for (long size : new long[] {1, 255, 256, 257, 1000, 65_536, 70_000}) {
            for (TilePath path : TilePath.grown(published, size)) {
                if (path.level() != TilePath.ENTRIES) {
                    files.put(path.toString(), tree.tile(path));
                }
            }
            published = size;
        }
        // Level 1 hashes are the roots of full level 0 tiles, level 2 those of level 1.
        assertThat(files)
                .containsKeys("tile/0/000", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1");
        byte[] top = files.getOrDefault("tile/2/000.p/1", new byte[32]);
        assertThat(TreeHash.of(top, 0))
                .isEqualTo(tree.rootAt(65_536))
                .isEqualTo(NaiveTree.root(leaves.subList(0, 65_536)));
        byte[] partial = files.getOrDefault("tile/0/273.p/112", new byte[0]);
        assertThat(partial).hasSize(112 * 32);
        assertThat(TreeHash.of(partial, 111 * 32)).isEqualTo(leaves.get(69_999));
    }

    @Test
    void grownNamesExactlyWhatChanged() {
        assertThat(TilePath.grown(0, 3).stream().map(TilePath::toString))
                .containsExactly("tile/entries/000.p/3", "tile/0/000.p/3");
        assertThat(TilePath.grown(255, 257).stream().map(TilePath::toString))
                .containsExactly(
                        "tile/entries/000", "tile/entries/001.p/1", "tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1");
        assertThat(TilePath.grown(257, 257)).isEmpty();
        assertThat(TilePath.grown(0, 0)).isEmpty();
    }

    @Test
    void aTileWiderThanTheTreeDoesNotExist() {
        Tree tree = TreeProofTest.tree(TreeProofTest.leaves(5, 2));
        assertThat(tree.tile(new TilePath(0, 0, 5))).hasSize(160);
        assertThatThrownBy(() -> tree.tile(new TilePath(0, 0, 6))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tree.tile(new TilePath(1, 0, 1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void entryBundlesRoundTripAndRefuseACut() throws Refused {
        List<byte[]> entries = List.of(new byte[] {1, 2, 3}, new byte[0], new byte[300]);
        byte[] bundle = EntryBundle.encode(entries);
        assertThat(bundle).hasSize(6 + 303).startsWith(0, 3, 1, 2, 3, 0, 0, 1, 44);
        assertThat(EntryBundle.decode(bundle)).hasSize(3);
        assertThat(EntryBundle.decode(bundle).get(2)).isEqualTo(entries.get(2));
        for (int length : new int[] {1, 4, 6, 308}) {
            refuses(() -> EntryBundle.decode(java.util.Arrays.copyOf(bundle, length)), Reason.MALFORMED, "cut off");
        }
    }
}
