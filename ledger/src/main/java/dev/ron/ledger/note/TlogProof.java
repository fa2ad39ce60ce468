package dev.ron.ledger.note;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.tree.InclusionProof;
import dev.ron.ledger.tree.TreeHash;
import java.util.ArrayList;
import java.util.List;

/** A C2SP tlog-proof file: a leaf's index, its inclusion proof, the signed checkpoint; existing tools verify it. */
public record TlogProof(long index, List<TreeHash> hashes, SignedNote checkpoint) {
    private static final String HEADER = "c2sp.org/tlog-proof@v1\n";
    private static final int MAX_HASHES = 63;

    public TlogProof {
        hashes = List.copyOf(hashes);
    }

    public static TlogProof parse(String text) throws Refused {
        // The proof has no blank line of its own, so the first one is where the checkpoint starts.
        int blank = text.indexOf("\n\n");
        if (!text.startsWith(HEADER) || blank < HEADER.length()) {
            throw new Refused(Reason.MALFORMED, "tlog-proof: no header, or no blank line before the checkpoint");
        }
        String[] lines = text.substring(HEADER.length(), blank).split("\n", -1);
        if (!lines[0].matches("index (0|[1-9][0-9]{0,15})") || lines.length > 1 + MAX_HASHES) {
            throw new Refused(Reason.MALFORMED, "tlog-proof: no index line, or more than 63 hashes");
        }
        List<TreeHash> hashes = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            hashes.add(TreeHash.parse(lines[i], "tlog-proof hash " + i));
        }
        long index = Long.parseLong(lines[0].substring("index ".length()));
        return new TlogProof(index, hashes, SignedNote.parse(text.substring(blank + 2)));
    }

    /** Refuses unless the leaf is in the log that these keys signed for. */
    public void verify(byte[] leaf, String origin, List<NoteKey> known) throws Refused {
        Checkpoint opened = Checkpoint.open(checkpoint, origin, known);
        if (index >= opened.size()) {
            throw new Refused(
                    Reason.LEAF_MISMATCH, "tlog-proof: index " + index + " of a log of " + opened.size() + " entries");
        }
        new InclusionProof(index, opened.size(), hashes).verify(TreeHash.leaf(leaf), opened.root(), "tlog-proof");
    }

    public String render() {
        StringBuilder out =
                new StringBuilder(HEADER).append("index ").append(index).append('\n');
        hashes.forEach(hash -> out.append(hash).append('\n'));
        return out.append('\n').append(checkpoint.render()).toString();
    }
}
