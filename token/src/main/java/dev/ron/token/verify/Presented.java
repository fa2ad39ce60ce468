package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.pct.Block;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.Layout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One token in the course of its check: does the signature work of the stages and tells the cache. */
final class Presented {
    private final TokenVerifier verifier;
    private final Layout layout;
    private final Chain chain;
    private final SigningKeys keys;
    private final RequestContext request;

    Presented(TokenVerifier verifier, Layout layout, Chain chain, SigningKeys keys, RequestContext request) {
        this.verifier = verifier;
        this.layout = layout;
        this.chain = chain;
        this.keys = keys;
        this.request = request;
    }

    Chain chain() {
        return chain;
    }

    /** Where the cache says this token stands. */
    Stage stage(@Nullable ProvenRoot root) {
        if (root == null || !root.provenWith(keys)) {
            return new Stage.RootUnproven(this);
        }
        return afterRoot(root);
    }

    private Stage afterRoot(ProvenRoot root) {
        int proven = chain.blocks().size();
        while (proven > 0 && root.branch(layout.branchText(proven)) == null) {
            proven--;
        }
        return proven == chain.blocks().size() ? new Stage.Proven(this) : new Stage.BlocksUnproven(this, proven);
    }

    Stage proveRoot() {
        if (!chain.root().signed().isSignedBy(keys.root(), verifier.signatures())) {
            return failed(Reason.BAD_SIGNATURE, "the issuer's signature does not match");
        }
        if (keys.pq() != null && !chain.coSignature().orElseThrow().matches(keys.pq())) {
            return failed(Reason.PQ_INVALID, "the co-signature does not match");
        }
        ProvenRoot root = ProvenRoot.of(keys, chain.prefix(0));
        verifier.cache().proven(layout.rootText(), keys, root, Map.of());
        return afterRoot(root);
    }

    /** Checks the blocks after the first {@code proven}; each prefix is remembered, so siblings share their stem. */
    Stage proveBlocks(int proven) {
        List<Block> blocks = chain.blocks();
        Map<String, Chain> prefixes = new LinkedHashMap<>();
        for (int i = proven; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (!block.signed().isSignedBy(chain.blockKey(i), verifier.signatures())) {
                return failed(Reason.BAD_SIGNATURE, "the signature of block " + (i + 1) + " does not match");
            }
            prefixes.put(layout.branchText(i + 1), i + 1 == blocks.size() ? chain : chain.prefix(i + 1));
        }
        verifier.cache().proven(layout.rootText(), keys, ProvenRoot.of(keys, chain.prefix(0)), prefixes);
        return new Stage.Proven(this);
    }

    private Stage failed(Reason reason, String detail) {
        verifier.cache().failed(layout.text(), keys, reason, request.now);
        return new Stage.Denied(new Decision.Deny(List.of(reason), detail));
    }

    Decision decide(boolean requestKnown) {
        return new Evaluation(verifier.rules(), chain, request).decide(requestKnown);
    }
}
