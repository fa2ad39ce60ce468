package dev.ron.ledger.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Refused;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The eight-leaf tree of the Certificate Transparency reference code. */
class TreeKnownAnswersTest {
    private static final HexFormat HEX = HexFormat.of();

    private static final List<String> LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    private static final List<String> ROOTS = List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    @Test
    void rootsOfAllSizesMatch() {
        Tree tree = Tree.EMPTY;
        assertThat(hex(tree.root())).isEqualTo(ROOTS.get(0));
        for (int size = 1; size <= 8; size++) {
            tree = tree.append(TreeHash.leaf(HEX.parseHex(LEAVES.get(size - 1))));
            assertThat(hex(tree.root())).isEqualTo(ROOTS.get(size));
        }
        for (int size = 0; size <= 8; size++) {
            assertThat(hex(tree.rootAt(size))).isEqualTo(ROOTS.get(size));
        }
    }

    @Test
    void inclusionOfLeaf0In8Matches() throws Refused {
        InclusionProof proof = tree().inclusion(0, 8);
        assertThat(proof.hashes().stream().map(TreeKnownAnswersTest::hex))
                .containsExactly(
                        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4");
        proof.verify(TreeHash.leaf(new byte[0]), tree().root(), "leaf 0");
    }

    @Test
    void consistencyFrom6To8And2To5Match() throws Refused {
        ConsistencyProof proof = tree().consistency(6, 8);
        assertThat(proof.hashes().stream().map(TreeKnownAnswersTest::hex))
                .containsExactly(
                        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7");
        proof.verify(tree().rootAt(6), tree().root());
        assertThat(tree().consistency(2, 5).hashes().stream().map(TreeKnownAnswersTest::hex))
                .containsExactly(
                        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b");
    }

    private static Tree tree() {
        Tree tree = Tree.EMPTY;
        for (String leaf : LEAVES) {
            tree = tree.append(TreeHash.leaf(HEX.parseHex(leaf)));
        }
        return tree;
    }

    private static String hex(TreeHash hash) {
        return HEX.formatHex(hash.bytes());
    }
}
