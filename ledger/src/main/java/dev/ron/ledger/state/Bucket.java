package dev.ron.ledger.state;

import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.tree.TreeHash;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The descriptors whose ids fall together, sorted by id; immutable.
 *
 * <p>All of them are hashed whenever one changes. So their rows are kept as the one text that is hashed, into which a
 * changed row is put: gathering the rows costs more than hashing them.
 */
final class Bucket {
    static final Bucket EMPTY = new Bucket(List.of(), new byte[0], new int[0]);

    // With more than these the text is written anew: each row that is put into it copies it.
    private static final int FEW = 16;

    private final List<Held> sorted;
    // Every row with a comma behind it, and where each of them ends.
    private final byte[] text;
    private final int[] ends;

    private Bucket(List<Held> sorted, byte[] text, int[] ends) {
        this.sorted = sorted;
        this.text = text;
        this.ends = ends;
    }

    Bucket with(Collection<Held> changed) {
        if (changed.size() > FEW) {
            return rewritten(changed);
        }
        Bucket bucket = this;
        for (Held held : changed) {
            bucket = bucket.with(held);
        }
        return bucket;
    }

    private Bucket with(Held held) {
        List<Held> list = new ArrayList<>(sorted);
        int found = put(list, held);
        boolean known = found >= 0;
        int at = known ? found : -found - 1;
        byte[] row = held.row().bytes();
        int from = at == 0 ? 0 : ends[at - 1];
        int to = known ? ends[at] : from;
        int more = row.length + 1 - (to - from);
        byte[] newText = new byte[text.length + more];
        System.arraycopy(text, 0, newText, 0, from);
        System.arraycopy(row, 0, newText, from, row.length);
        newText[from + row.length] = ',';
        System.arraycopy(text, to, newText, to + more, text.length - to);
        int[] newEnds = new int[list.size()];
        System.arraycopy(ends, 0, newEnds, 0, at);
        int shift = known ? 0 : 1;
        for (int i = at; i < newEnds.length; i++) {
            newEnds[i] = i == at ? to + more : ends[i - shift] + more;
        }
        return new Bucket(List.copyOf(list), newText, newEnds);
    }

    private Bucket rewritten(Collection<Held> changed) {
        List<Held> list = new ArrayList<>(sorted);
        changed.forEach(held -> put(list, held));
        int[] newEnds = new int[list.size()];
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < newEnds.length; i++) {
            write(list.get(i).row(), out);
            newEnds[i] = out.size();
        }
        return new Bucket(List.copyOf(list), out.toByteArray(), newEnds);
    }

    /** Puts it into its place, and says as {@link #find} where that is and whether it was taken. */
    private static int put(List<Held> list, Held held) {
        int found = find(list, held.id());
        if (found >= 0) {
            list.set(found, held);
        } else {
            list.add(-found - 1, held);
        }
        return found;
    }

    private static void write(Row row, ByteArrayOutputStream out) {
        out.writeBytes(row.bytes());
        out.write(',');
    }

    Optional<Held> get(String id) {
        int at = find(sorted, id);
        return at < 0 ? Optional.empty() : Optional.of(sorted.get(at));
    }

    List<Held> all() {
        return sorted;
    }

    List<Row> rows() {
        return sorted.stream().map(Held::row).toList();
    }

    TreeHash leaf() {
        return leaf(text);
    }

    /** The leaf that a list of rows makes. */
    static TreeHash leaf(List<Row> rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        rows.forEach(row -> write(row, out));
        return leaf(out.toByteArray());
    }

    // Over the canonical list of rows, which has no comma behind the last.
    private static TreeHash leaf(byte[] text) {
        MessageDigest digest = Sha256.start();
        digest.update((byte) '[');
        digest.update(text, 0, Math.max(0, text.length - 1));
        digest.update((byte) ']');
        return TreeHash.leaf(digest.digest());
    }

    /** As {@link java.util.Collections#binarySearch}, by id. */
    private static int find(List<Held> list, String id) {
        int low = 0;
        int high = list.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = list.get(middle).id().compareTo(id);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -low - 1;
    }
}
