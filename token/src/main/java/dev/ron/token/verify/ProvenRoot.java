package dev.ron.token.verify;

import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.pct.Chain;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A root whose signatures have been checked, and the branches below it that have been; immutable.
 *
 * <p>It remembers which keys it was checked with: under other keys it proves nothing.
 */
final class ProvenRoot {
    /** Branches grow offline and for free, so what one root may occupy is fixed, counting the root itself. */
    static final int MAX_BRANCHES = 64;

    // Objects of a parsed chain, roughly, beside its text.
    private static final int OVERHEAD_BYTES = 2048;

    private final Ed25519Key key;
    private final @Nullable MlDsaKey pqKey;
    private final Map<String, Chain> branches;

    private ProvenRoot(Ed25519Key key, @Nullable MlDsaKey pqKey, Map<String, Chain> branches) {
        this.key = key;
        this.pqKey = pqKey;
        this.branches = branches;
    }

    static ProvenRoot of(SigningKeys keys, Chain bareRoot) {
        return new ProvenRoot(keys.root(), keys.pq(), Map.of("", bareRoot));
    }

    boolean provenWith(SigningKeys keys) {
        return keys.equals(new SigningKeys(key, pqKey));
    }

    @Nullable
    Chain branch(String branchText) {
        return branches.get(branchText);
    }

    /** Adds branches; at the cap the oldest give way, so a holder who makes many pushes out only its own. */
    ProvenRoot with(Map<String, Chain> more) {
        Map<String, Chain> copy = new LinkedHashMap<>(branches);
        copy.putAll(more);
        Iterator<String> oldest = copy.keySet().iterator();
        for (int excess = copy.size() - MAX_BRANCHES; excess > 0; ) {
            if (!oldest.next().isEmpty()) {
                oldest.remove();
                excess--;
            }
        }
        return new ProvenRoot(key, pqKey, copy);
    }

    int branchCount() {
        return branches.size();
    }

    int weight(String rootText) {
        int weight = rootText.length();
        for (String branchText : branches.keySet()) {
            weight += branchText.length() + OVERHEAD_BYTES;
        }
        return weight;
    }
}
