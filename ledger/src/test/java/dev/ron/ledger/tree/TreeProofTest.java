package dev.ron.ledger.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Refused;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Proofs against the naive oracle: equal to it, accepted for what they prove, refused for anything else. */
class TreeProofTest {
    private static final int MAX = 600;
    private static final List<TreeHash> LEAVES = leaves(MAX, 0);
    private static final Tree TREE = tree(LEAVES);

    @Example
    void theRootThatIsKeptEqualsTheOracleAtEverySize() {
        Tree tree = Tree.EMPTY;
        for (int size = 0; size < MAX; size++) {
            assertThat(tree.root()).isEqualTo(NaiveTree.root(LEAVES.subList(0, size)));
            tree = tree.append(LEAVES.get(size));
        }
    }

    @Property(tries = 300)
    void everyInclusionProofEqualsTheOracleAndVerifies(
            @ForAll @IntRange(min = 1, max = MAX) int size, @ForAll @IntRange(max = MAX - 1) int any) throws Refused {
        int index = any % size;
        List<TreeHash> leaves = LEAVES.subList(0, size);
        InclusionProof proof = TREE.inclusion(index, size);
        assertThat(proof.hashes()).isEqualTo(NaiveTree.path(index, leaves));
        proof.verify(LEAVES.get(index), NaiveTree.root(leaves), "leaf");
    }

    @Property(tries = 300)
    void everyConsistencyProofEqualsTheOracleAndVerifies(
            @ForAll @IntRange(max = MAX) int a, @ForAll @IntRange(max = MAX) int b) throws Refused {
        int from = Math.min(a, b);
        int to = Math.max(a, b);
        ConsistencyProof proof = TREE.consistency(from, to);
        assertThat(proof.hashes()).isEqualTo(NaiveTree.proof(from, LEAVES.subList(0, to)));
        proof.verify(NaiveTree.root(LEAVES.subList(0, from)), NaiveTree.root(LEAVES.subList(0, to)));
    }

    @Property(tries = 500)
    void anInclusionProofWithAFlippedBitFails(
            @ForAll @IntRange(min = 2, max = MAX) int size,
            @ForAll @IntRange(max = MAX - 1) int any,
            @ForAll @IntRange(max = 9999) int which,
            @ForAll @IntRange(max = 255) int bit) {
        int index = any % size;
        InclusionProof proof = TREE.inclusion(index, size);
        InclusionProof flipped = new InclusionProof(
                index, size, flip(proof.hashes(), which % proof.hashes().size(), bit));
        assertThatThrownBy(() -> flipped.verify(LEAVES.get(index), TREE.rootAt(size), "leaf"))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> proof.verify(flip(LEAVES.get(index), bit), TREE.rootAt(size), "leaf"))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> proof.verify(LEAVES.get(index), flip(TREE.rootAt(size), bit), "leaf"))
                .isInstanceOf(Refused.class);
    }

    @Property(tries = 500)
    void aConsistencyProofWithAFlippedBitFails(
            @ForAll @IntRange(min = 1, max = MAX - 1) int from,
            @ForAll @IntRange(min = 1, max = MAX) int step,
            @ForAll @IntRange(max = 9999) int which,
            @ForAll @IntRange(max = 255) int bit) {
        int to = Math.min(MAX, from + step);
        ConsistencyProof proof = TREE.consistency(from, to);
        ConsistencyProof flipped = new ConsistencyProof(
                from, to, flip(proof.hashes(), which % proof.hashes().size(), bit));
        assertThatThrownBy(() -> flipped.verify(TREE.rootAt(from), TREE.rootAt(to)))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> proof.verify(flip(TREE.rootAt(from), bit), TREE.rootAt(to)))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> proof.verify(TREE.rootAt(from), flip(TREE.rootAt(to), bit)))
                .isInstanceOf(Refused.class);
    }

    /** A proof for (i, n) never verifies for (i', n) nor for another leaf; a cut or longer one never verifies. */
    @Property(tries = 500)
    void aProofHoldsForNothingElse(
            @ForAll @IntRange(min = 2, max = MAX) int size,
            @ForAll @IntRange(max = MAX - 1) int any,
            @ForAll @IntRange(max = MAX - 1) int other) {
        int index = any % size;
        List<TreeHash> hashes = TREE.inclusion(index, size).hashes();
        TreeHash root = TREE.rootAt(size);
        int elsewhere = other % size;
        if (elsewhere != index) {
            assertThatThrownBy(
                            () -> new InclusionProof(elsewhere, size, hashes).verify(LEAVES.get(index), root, "leaf"))
                    .isInstanceOf(Refused.class);
            assertThatThrownBy(
                            () -> new InclusionProof(index, size, hashes).verify(LEAVES.get(elsewhere), root, "leaf"))
                    .isInstanceOf(Refused.class);
        }
        List<TreeHash> shorter = hashes.subList(0, hashes.size() - 1);
        assertThatThrownBy(() -> new InclusionProof(index, size, shorter).verify(LEAVES.get(index), root, "leaf"))
                .isInstanceOf(Refused.class);
        List<TreeHash> longer = new ArrayList<>(hashes);
        longer.add(root);
        assertThatThrownBy(() -> new InclusionProof(index, size, longer).verify(LEAVES.get(index), root, "leaf"))
                .isInstanceOf(Refused.class);
    }

    @Example
    void allPairsUpTo130AreConsistent() throws Refused {
        for (int to = 0; to <= 130; to++) {
            for (int from = 0; from <= to; from++) {
                TREE.consistency(from, to).verify(TREE.rootAt(from), TREE.rootAt(to));
            }
        }
    }

    @Example
    void aForkIsNeverConsistent() {
        List<TreeHash> forked = new ArrayList<>(LEAVES.subList(0, 100));
        forked.set(41, LEAVES.get(42));
        Tree fork = tree(forked);
        for (int from = 42; from < 100; from++) {
            ConsistencyProof proof = fork.consistency(from, 100);
            TreeHash seenBefore = TREE.rootAt(from);
            assertThatThrownBy(() -> proof.verify(seenBefore, fork.root())).isInstanceOf(Refused.class);
        }
    }

    @Example
    void growingLeavesTheOldTreeAsItWas() {
        Tree old = tree(LEAVES.subList(0, 256));
        TreeHash before = old.root();
        Tree grown = old;
        for (int i = 256; i < 520; i++) {
            grown = grown.append(LEAVES.get(i));
        }
        assertThat(old.root()).isEqualTo(before);
        assertThat(old.size()).isEqualTo(256);
        assertThat(grown.rootAt(256)).isEqualTo(before);
    }

    @Example
    void aTreeThatFillsTwoTileLevelsStillEqualsTheOracle() throws Refused {
        List<TreeHash> many = leaves(65_536 + 300, 7);
        Tree tree = tree(many);
        assertThat(tree.root()).isEqualTo(NaiveTree.root(many));
        for (long index : new long[] {0, 255, 256, 65_535, 65_536, 65_835}) {
            tree.inclusion(index, tree.size()).verify(many.get((int) index), tree.root(), "leaf");
        }
        tree.consistency(65_535, tree.size()).verify(tree.rootAt(65_535), tree.root());
    }

    static List<TreeHash> leaves(int count, int salt) {
        List<TreeHash> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(TreeHash.leaf(new byte[] {(byte) salt, (byte) (i >> 16), (byte) (i >> 8), (byte) i}));
        }
        return leaves;
    }

    static Tree tree(List<TreeHash> leaves) {
        Tree tree = Tree.EMPTY;
        for (TreeHash leaf : leaves) {
            tree = tree.append(leaf);
        }
        return tree;
    }

    private static List<TreeHash> flip(List<TreeHash> hashes, int which, int bit) {
        List<TreeHash> flipped = new ArrayList<>(hashes);
        flipped.set(which, flip(hashes.get(which), bit));
        return flipped;
    }

    private static TreeHash flip(TreeHash hash, int bit) {
        byte[] bytes = hash.bytes();
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        return TreeHash.of(bytes, 0);
    }
}
