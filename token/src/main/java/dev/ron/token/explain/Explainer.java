package dev.ron.token.explain;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.KeyState;
import dev.ron.token.pct.Block;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.Pct;
import dev.ron.token.pct.RootClaims;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.TokenVerifier;
import java.util.ArrayList;
import java.util.List;

/** Explains a token, with whatever is at hand: the text alone, or also a verifier and its keys. */
public final class Explainer {
    private final Signatures signatures;
    private final Caps caps;
    private final long skewSeconds;

    public Explainer(Signatures signatures, Caps caps, long skewSeconds) {
        this.signatures = signatures;
        this.caps = caps;
        this.skewSeconds = skewSeconds;
    }

    /** Explains offline; all but the issuer's own signature, revocation and audience can be told from the text. */
    public Explanation explain(String token, long now) {
        try {
            Pct pct = Pct.parse(token, caps);
            List<String> unchecked = List.of(
                    "the issuer's signature: needs the issuer's keys",
                    "revocation: needs the issuer's feed",
                    "audience and request: need a service and a request");
            return new Explanation(facts(pct, now), restrictions(pct.chain(), now), objections(pct, now), unchecked);
        } catch (Refused refused) {
            return unreadable(refused);
        }
    }

    /** Explains and also says what the verifier would answer to this request. */
    public Explanation explain(String token, long now, TokenVerifier verifier, RequestContext request, KeyState state) {
        Explanation offline = explain(token, now);
        List<Explanation.Objection> objections = new ArrayList<>(offline.objections());
        if (verifier.verify(token, request, state) instanceof Decision.Deny deny) {
            for (Reason reason : deny.reasons()) {
                if (objections.stream().noneMatch(known -> known.reason() == reason)) {
                    String words = deny.reasons().size() == 1 ? deny.detail() : reason.sentence();
                    objections.add(new Explanation.Objection(reason, words));
                }
            }
        }
        return new Explanation(offline.facts(), offline.restrictions(), List.copyOf(objections), List.of());
    }

    private static Explanation unreadable(Refused refused) {
        return new Explanation(
                List.of(),
                List.of(),
                List.of(new Explanation.Objection(refused.reason(), refused.detail())),
                List.of());
    }

    private static List<String> facts(Pct pct, long now) {
        RootClaims claims = pct.chain().claims();
        List<String> facts = new ArrayList<>();
        facts.add("issued by " + claims.iss() + " to client " + claims.clientId());
        facts.add("speaks for subject " + claims.sub() + " of tenant " + claims.tenant());
        facts.add("meant for " + String.join(", ", claims.aud()));
        facts.add("valid from " + CaveatWords.moment(claims.nbf(), now) + " until "
                + CaveatWords.moment(claims.exp(), now));
        facts.add("token id " + claims.jti() + ", epoch " + claims.epoch() + ", policy version "
                + claims.policyVersion());
        facts.add("signed with key " + pct.chain().root().kid()
                + pct.chain()
                        .coSignature()
                        .map(pq -> " and post-quantum key " + pq.kid())
                        .orElse(", without post-quantum signature"));
        claims.confirmation()
                .ifPresent(key -> facts.add(
                        "bound to key " + key.thumbprint() + " (" + key.kind().member() + ")"));
        facts.add(blocks(pct.chain()));
        facts.add(holder(pct));
        return List.copyOf(facts);
    }

    private static String blocks(Chain chain) {
        return chain.blocks().isEmpty()
                ? "not narrowed by any holder"
                : chain.blocks().size() == 1
                        ? "narrowed once"
                        : "narrowed " + chain.blocks().size() + " times";
    }

    private static String holder(Pct pct) {
        if (pct.proof().isSealed()) {
            return "sealed: can be presented, not narrowed further";
        }
        return pct.chain().nextKey().isPresent()
                ? "open: the holder can narrow it further"
                : "final: can be presented, not narrowed further";
    }

    private static List<Explanation.Restriction> restrictions(Chain chain, long now) {
        List<Explanation.Restriction> restrictions = new ArrayList<>();
        add(restrictions, 0, chain.claims().caveats(), now);
        for (int i = 0; i < chain.blocks().size(); i++) {
            add(restrictions, i + 1, chain.blocks().get(i).caveats(), now);
        }
        return List.copyOf(restrictions);
    }

    private static void add(List<Explanation.Restriction> all, int block, List<Caveat> caveats, long now) {
        for (Caveat caveat : caveats) {
            all.add(new Explanation.Restriction(block, caveat.type(), CaveatWords.of(caveat, now)));
        }
    }

    private List<Explanation.Objection> objections(Pct pct, long now) {
        List<Explanation.Objection> objections = new ArrayList<>();
        Chain chain = pct.chain();
        if (!chain.isOpenedBy(pct.proof())) {
            object(objections, Reason.BAD_PROOF, Reason.BAD_PROOF.sentence());
        }
        for (int i = 0; i < chain.blocks().size(); i++) {
            Block block = chain.blocks().get(i);
            if (!block.signed().isSignedBy(chain.blockKey(i), signatures)) {
                object(objections, Reason.BAD_SIGNATURE, "the signature of block " + (i + 1) + " does not match");
            }
        }
        time(objections, "the token", chain.claims().nbf(), chain.claims().exp(), now);
        for (Chain.Placed placed : chain.caveats()) {
            switch (placed.caveat()) {
                case Caveat.Expires(long at) -> time(objections, "a caveat", 0, at, now);
                case Caveat.NotBefore(long at) -> time(objections, "a caveat", at, Long.MAX_VALUE, now);
                case Caveat.Unknown unknown ->
                    object(objections, Reason.CAV_UNKNOWN, "caveat type \"" + unknown.type() + "\" is not known");
                default -> {
                    // cannot be judged without a request
                }
            }
        }
        return List.copyOf(objections);
    }

    private void time(List<Explanation.Objection> objections, String what, long from, long until, long now) {
        if (now - skewSeconds > until) {
            object(objections, Reason.EXPIRED, what + " expired " + CaveatWords.span(now - until) + " ago");
        }
        if (now + skewSeconds < from) {
            object(objections, Reason.NOT_YET_VALID, what + " is valid only in " + CaveatWords.span(from - now));
        }
    }

    private static void object(List<Explanation.Objection> objections, Reason reason, String words) {
        objections.add(new Explanation.Objection(reason, words));
    }
}
