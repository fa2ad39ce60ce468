package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.Layout;
import dev.ron.token.pct.Proof;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a token allows a request, from the snapshot it is given and nothing else.
 *
 * <p>{@link #verify} does everything at once. A host that must not be made to check signatures for strangers calls
 * {@link #read} and takes the {@link Stage stages} one by one. Safe for any number of threads.
 */
public final class TokenVerifier {
    private final VerifierConfig config;
    private final Signatures signatures;
    private final SignatureCache cache;
    private final Standing standing;
    private final CaveatRules rules;

    public TokenVerifier(VerifierConfig config, Signatures signatures, SignatureCache cache) {
        this.config = config;
        this.signatures = signatures;
        this.cache = cache;
        this.standing = new Standing(config);
        this.rules = new CaveatRules(config);
    }

    public Decision verify(String token, RequestContext request, KeyState state) {
        Stage stage = read(token, request, state);
        while (true) {
            switch (stage) {
                case Stage.Denied(Decision.Deny why) -> {
                    return why;
                }
                case Stage.RootUnproven cold -> stage = cold.proveRoot();
                case Stage.BlocksUnproven cold -> stage = cold.proveBlocks();
                case Stage.Proven proven -> {
                    return proven.decide();
                }
            }
        }
    }

    /** Everything that needs no signature check: form, trust, time, revocation, proof, and what the cache knows. */
    public Stage read(String token, RequestContext request, KeyState state) {
        try {
            Layout layout = Layout.of(token, config.caps());
            Proof proof = layout.proof();
            ProvenRoot root = cache.root(layout.rootText());
            Chain chain = parsed(layout, root);
            SigningKeys keys = standing.require(chain, request, state);
            if (!chain.isOpenedBy(proof)) {
                throw new Refused(Reason.BAD_PROOF, "the proof does not belong to the last block");
            }
            Presented presented = new Presented(this, layout, chain, keys, request);
            Stage stage = presented.stage(root);
            if (!(stage instanceof Stage.Proven)) {
                @Nullable Reason failure = cache.failure(token, keys, request.now);
                if (failure != null) {
                    return new Stage.Denied(new Decision.Deny(List.of(failure), "failed a moment ago"));
                }
            }
            return stage;
        } catch (Refused refused) {
            return new Stage.Denied(Decision.Deny.of(refused));
        }
    }

    /** Parsing depends on the text alone, so the parse of a remembered text serves whatever the keys are now. */
    private Chain parsed(Layout layout, @Nullable ProvenRoot root) throws Refused {
        @Nullable Chain known = root == null ? null : root.branch(layout.branchText());
        return known != null ? known : Chain.parse(layout, config.caps());
    }

    Signatures signatures() {
        return signatures;
    }

    SignatureCache cache() {
        return cache;
    }

    CaveatRules rules() {
        return rules;
    }
}
