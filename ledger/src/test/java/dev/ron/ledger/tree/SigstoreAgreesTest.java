package dev.ron.ledger.tree;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sigstore.merkle.InclusionProofVerificationException;
import dev.sigstore.merkle.InclusionProofVerifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Our inclusion proofs, checked by a verifier that others wrote. */
class SigstoreAgreesTest {
    private static final int LARGEST = 70;

    @Test
    void everyProofOfEveryTreePassesAndAnAlteredOneDoesNot() throws Exception {
        Tree tree = Tree.EMPTY;
        for (int size = 1; size <= LARGEST; size++) {
            tree = tree.append(leaf(size - 1));
            for (int index = 0; index < size; index++) {
                verify(tree, index, size, leaf(index));
            }
            Tree grown = tree;
            int last = size;
            assertThatThrownBy(() -> verify(grown, last - 1, last, leaf(last)))
                    .isInstanceOf(InclusionProofVerificationException.class);
        }
    }

    private static void verify(Tree tree, int index, int size, TreeHash leaf)
            throws InclusionProofVerificationException {
        List<byte[]> path = tree.inclusion(index, size).hashes().stream()
                .map(TreeHash::bytes)
                .toList();
        InclusionProofVerifier.verify(
                leaf.bytes(), index, size, path, tree.rootAt(size).bytes());
    }

    private static TreeHash leaf(int number) {
        return TreeHash.leaf(("entry " + number).getBytes(StandardCharsets.UTF_8));
    }
}
